/// Ends the process when `condition` does not hold, as the fuzzer wants it, and says what was broken.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError("the input breaks a promise: \(message())") }
}
