// UseCases
