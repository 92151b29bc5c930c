public import HTTP
public import MenuGame
public import UseCases

/// The HTTP contract on top of the use cases.
public final class API: Responder {
    let rooms: Rooms
    let devices: Devices
    let push: PushOffer
    let pages: CurrentPages
    let documents: Documents
    let web: WebClient
    let throttle: Throttle
    let openStreams: StreamCounts
    /// `nil` to go by what each request calls us.
    let publicURL: PublicURL?
    let servesLegacy: Bool
    /// See `init`.
    let hash: @Sendable (ArraySlice<UInt8>) -> TokenHash?
    let observe: @Sendable (Access) -> Void
    let requestIDs: RequestIDs

    /// - Parameter hash: the keyed hash under which a device token is known, and by which a request is compared with a former one; `nil`
    ///   where it cannot be computed just now. The token itself goes no further than this.
    /// - Parameter devices: where phones say how they want to be told.
    /// - Parameter push: which of them are told.
    /// - Parameter publicURL: where clients find this server; `nil` to go by what each request calls us.
    /// - Parameter legacy: whether the shipped app is served, too.
    /// - Parameter elapsed: reads a clock that only goes forward.
    /// - Parameter observe: told of every request when it is answered.
    public init(
        rooms: Rooms, devices: Devices, push: PushOffer = PushOffer(), documents: Documents, web: WebClient,
        hash: @escaping @Sendable (ArraySlice<UInt8>) -> TokenHash?,
        requestIDPrefix: String,
        publicURL: PublicURL? = nil, legacy: Bool = false, limits: ClientLimits = ClientLimits(),
        streamLimits: StreamLimits = StreamLimits(),
        elapsed: @escaping @Sendable () -> Duration, observe: @escaping @Sendable (Access) -> Void = { _ in }
    ) {
        self.rooms = rooms
        self.devices = devices
        self.push = push
        self.documents = documents
        self.web = web
        throttle = Throttle(limits, elapsed: elapsed)
        self.hash = hash
        self.publicURL = publicURL
        servesLegacy = legacy
        self.observe = observe
        openStreams = StreamCounts(streamLimits)
        pages = CurrentPages(rooms.catalogue)
        requestIDs = RequestIDs(prefix: requestIDPrefix)
    }

    public func respond(to request: consuming Request, reply: consuming Reply) {
        let call = Call(request, reply: reply, to: self)
        // Who cannot be told just now is not to be taken for a stranger.
        if call.callerIsUnclear { return call.refuse(Problem(.storeUnavailable)) }
        do throws(Problem) { try handle(call) } catch { call.refuse(error) }
    }

    /// To be called when the catalogue has been replaced: writes what depends on nothing else.
    public func showCatalogue() { pages.show(rooms.catalogue) }

    /// An id for a request that the protocol refuses before it gets here.
    public func requestID() -> String { requestIDs.next() }

    private func handle(_ call: Call) throws(Problem) {
        let (endpoint, route) = (call.match.endpoint, call.match.route)
        guard endpoint !== Endpoint.unknown else { throw Problem(.routeNotFound) }
        let method = call.request.method == .head ? .get : call.request.method
        if method == .options {
            return call.send(Response(Status(204), fields: endpoint.means))
        }
        guard endpoint.methods.contains(method) else { throw Problem(.methodNotAllowed, fields: endpoint.means) }
        guard accepts(call.match.mediaType, call.request.fields) else { throw Problem(.notAcceptable) }
        // The app's own protocol has no such field.
        if case .legacy = route { return try dispatch(call, route, method) }
        guard let wish = try receiptWish(call) else { return try dispatch(call, route, method) }
        // Before all else: a repeat depends on nothing but what it repeats.
        rooms.answer(keptFor: wish) { [self] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let answer?): call.repeat(answer)
            case .success(nil):
                do throws(Problem) { try dispatch(call.claiming(wish), route, method) } catch { call.refuse(error) }
            }
        }
    }

    private func dispatch(_ call: Call, _ route: Route, _ method: HTTP.Method) throws(Problem) {
        switch (route, method) {
        case (.rooms, _): try openRoom(call)
        case (.room(let pin), .delete): try closeRoom(call, pin)
        case (.room(let pin), _): try readRoom(call, pin)
        case (.events(let pin), _): try readEvents(call, pin)
        case (.ownMembership(let pin), .put): try join(call, pin)
        case (.ownMembership(let pin), _): try leave(call, pin)
        case (.submission(let pin), .get): try readSubmission(call, pin)
        case (.submission(let pin), .put): try submit(call, pin)
        case (.submission(let pin), .patch): try edit(call, pin)
        case (.submission(let pin), _): try withdraw(call, pin)
        case (.reveal(let pin), _): try reveal(call, pin)
        case (.result(let pin), _): try readResult(call, pin)
        case (.decision(let pin), _): try decide(call, pin)
        case (.rounds(let pin), _): try beginRound(call, pin)
        case (.membership(let pin, let member), _): try remove(call, pin, member)
        case (.host(let pin), _): try handOver(call, pin)
        case (.qrCode(let pin), _): try readQRCode(call, pin)
        case (.roomGame(let pin), _): try readGame(call, ofRoom: pin)
        case (.solo, _): try playSolo(call)
        case (.game, _): readGame(call)
        case (.menus, _): readMenus(call)
        case (.randomMenu, _): try readRandomMenu(call)
        case (.menu(let id), _): try readMenu(call, id)
        case (.menuImage(let file), _): try readMenuImage(call, file)
        case (.ownDevices, .put): try registerDevice(call)
        case (.ownDevices, _): try unregisterDevices(call)
        case (.health, _): readHealth(call)
        case (.readiness, _): readReadiness(call)
        case (.openAPI, _): readOpenAPI(call)
        case (.docs, _): readDocs(call)
        case (.docsStyle, _): readDocsStyle(call)
        case (.webPage, _), (.webRoom, _): readWebPage(call)
        case (.webAsset(let version, let file), _): try readWebAsset(call, version, file)
        case (.legacy(let route), let method): try handle(call, route, method)
        case (.server, _), (.unknown, _): throw Problem(.routeNotFound)
        }
    }
}

/// One answered request, for the log: nothing in it tells who asked, in which room or for what.
public struct Access: Sendable {
    public let requestID: String
    /// `nil` where the request names none.
    public let trace: TraceContext?
    public let method: Method
    /// Its place in `API.routePatterns`.
    public let route: Int
    public let status: Status
    public let duration: Duration
}
