public import MenuGame

extension Rooms {
    /// Uniformly any menu of `catalogue` that these of its vetoes do not exclude; `nil` where none is left.
    public func randomMenu(of catalogue: Catalogue, vetoes: SmallSet) -> Catalogue.Menu? {
        var random = EnvironmentRandom(environment: environment)
        return catalogue.menus.filter { !$0.isExcluded(by: vetoes) }.randomElement(using: &random)
    }
}
