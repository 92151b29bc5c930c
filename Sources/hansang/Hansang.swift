@main struct Hansang { static func main() {} }
