// MenuGame
