public import MenuGame

extension Rooms {
    /// Uniformly any menu of the catalogue that these vetoes do not exclude; `nil` where none is left.
    public func randomMenu(vetoes: SmallSet) -> Catalogue.Menu? {
        var random = EnvironmentRandom(environment: environment)
        return catalogue.menus.filter { !$0.isExcluded(by: vetoes) }.randomElement(using: &random)
    }
}
