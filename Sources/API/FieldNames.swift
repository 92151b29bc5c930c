import HTTP

extension FieldName {
    static let accept = FieldName("Accept")
    static let acceptLanguage = FieldName("Accept-Language")
    static let acceptPatch = FieldName("Accept-Patch")
    static let allow = FieldName("Allow")
    static let authorization = FieldName("Authorization")
    static let cacheControl = FieldName("Cache-Control")
    static let contentLanguage = FieldName("Content-Language")
    static let contentEncoding = FieldName("Content-Encoding")
    static let contentType = FieldName("Content-Type")
    static let eTag = FieldName("ETag")
    static let idempotencyKey = FieldName("Idempotency-Key")
    static let ifMatch = FieldName("If-Match")
    static let ifNoneMatch = FieldName("If-None-Match")
    static let contentSecurityPolicy = FieldName("Content-Security-Policy")
    static let contentTypeOptions = FieldName("X-Content-Type-Options")
    static let location = FieldName("Location")
    static let requestID = FieldName("X-Request-ID")
    static let retryAfter = FieldName("Retry-After")
    static let vary = FieldName("Vary")
    static let wwwAuthenticate = FieldName("WWW-Authenticate")
}
