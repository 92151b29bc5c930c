// GameJSON
