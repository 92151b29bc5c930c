// hansang
