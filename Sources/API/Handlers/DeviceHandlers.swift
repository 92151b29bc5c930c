import HTTP
import MenuGame
import UseCases

extension API {
    /// `PUT /v1/devices/me`. The push token is kept and never given out again, so there is nothing to answer.
    func registerDevice(_ call: Call) throws(Problem) {
        let caller = try call.requireCaller()
        let wish = try DeviceWish(call.json(), language: call.language)
        if let failure = call.countRegistration() { return call.refuse(failure) }
        guard wish.platform == .liveActivity else {
            return devices.register(wish.pushToken, of: wish.platform, by: caller, language: wish.language) { call.sendNothing($0) }
        }
        devices.register(liveActivity: wish.pushToken, of: try call.pin(wish.room ?? ""), by: caller, language: wish.language) {
            call.sendNothing($0)
        }
    }

    /// `DELETE /v1/devices/me`: all that the caller has registered. Again is fine.
    func unregisterDevices(_ call: Call) throws(Problem) {
        devices.unregister(try call.requireCaller()) { call.sendNothing($0) }
    }
}
