/// Private keys that open nothing.
enum TestKeys {
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTBOr5Fm+0oxV/82/
        3fLlBVFP/8RB6ZMOXUCZoB0H+xyhRANCAAQEz9dhep+Eh86UCEFCmBfMtFRMICfa
        I8yu95ZxhVIMZOIGXiWfADn8Nnm9eAkwwvqXeKYv5yLn8yVVbG93qvVG
        -----END PRIVATE KEY-----
        """
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCi5TxhwPVWr+vxXWR3
        70mTECl4CZwOlukUUS68kjWH6jpUapNFt8bOV8KaqwQncI6hZANiAAS95PZVyIBn
        Zjdfw4SLEtQpgBfjJKUbDRQPZggZFjbN+9m7FopRdllHbeLOJuehsSdGxWeqkTua
        2elasM2YYoYLOz3UH5pLu6AZspODyZDFmUiKzRgeR++r0oQyzbnyG4A=
        -----END PRIVATE KEY-----
        """
    static let rsa2048 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCo2cSRy/K8EenG
        mfRC2gU0Q45My8yze8iL6Q0LsLrxGP2/mqZfNGBQlq+AFg+4prnuhYl9eI0xgpeE
        E/VjO/Dtf754v34uX5I/8DK3tmMoDsmy43zIfGWNJ8Wn7oRuof7McxMqFOGbSTvx
        tEuW22YWJ7iz8IHTnmbv17q2kl+SaLHcYKgvAMQvs/hl+Y6YZg2kjhT1HdE5adlr
        Tks0s8FfGkQwXdoEak7qAyWop3fAcjHKtKhBt0Cc3Q1BqWCuUjoWbAYJBjmfsAsA
        wLcZiB/JqQlsDE7y4q1xwKZe984k65RFFZ7HovqMJUBflblPASCoBf0sJRBtIabT
        kbGwD9I9AgMBAAECggEAAJcmWft/FqDvaCuLUEfdOHYQricQ86239qPy0OV7ed1Z
        rHeuI5YWIiICF24RpwEk6aHGPc3pRyY1lmzQG6/kI0h3kjTajEShnnSeEMi5UbS0
        3YRwdW5Yl+Tu4Cv0LZjbwGZEnQ3j+Lw0Up+L8MlFSEg3m/V4LBUZN2HR5tKIirAD
        6ROin46cxMPJXlarir2K1xPKf7tUmF9i2epEZZjVYQEST9m6vqbv04M7M8Arc/XU
        GJFiOCpU8SZrCdre0T0NB8GKPSkcu25FYOMOOAga5bnHWunIU0wog2l3bL/QYwqV
        O3l/YbMoE+SLq9cYapky5Du7BuqKJqKEKxfgt8wp8QKBgQDbpM4SxcBpRUeJfCEE
        a81OQ8Kymij3eKgTitJfJM8Sfp4DfzLbUcPnzngrdiULbG0u/m31YU86VsN+qEEI
        Ad/59sY4d4fp0I7tuwyy3BWtNJ1PYjmS7lY2WHQrx5yCghjdaeOVG74A2kEE8FHw
        FCwpghmK+8E0HH8UhdC87JbmmQKBgQDEzKc2bgPaxg5y3qG/5QI5AeGkDVKxfz3k
        clF/HHuEbC1Us1scD4nBRqxACSJP4iJdZeYfLfyp8qkUKK7nKtMjG9hzO3UfWpN0
        +UGVLaHRKlpkLik6iDKQhvt8ZfAWvF0dMSQMbgoWf3wVxGylRDLP8IoJk7yYKeic
        DIne+HrjRQKBgAYIWMCbPdWmWXilOCLu8wybP9W39jgV0Ef5IB4M3MMdRynBbJwp
        er/7I8HN1Oaja7xGsK50pcBscaIg7OhTZNtws7EJV2pMmCBfatHeyZmgQFHV2M74
        TNXhSA+Lw/ixqg0qw11tDaLoW7DPCPEXHL9nG1x93aiYv8TIiBsoRFzBAoGAIFgO
        R0jPg143s7NZXCN0ORBRGFhENf3Wmzwansx8lGf/D0Om/rajCkvmNWQK6pwcz8LW
        jltNglTqavDAxidoqgWCjnXAKxYE1B2/JJhqVukiEALyLbeCr/QvUuOiEOqGVyzj
        YtOW/tmW+DDfNk4+F6TN2wMX5N5GZ5c79ZRbBg0CgYADBw8L0e/IxIrsRI3HG2su
        W0Erj+snWCZSIE3PkJLf5A6jTWpsiMZbbpYTGKKfwj5KjYJt9FrP3HcqJaT4CuFf
        IvuABfPFGNSJ6svLcGDUNxsrhD69BlnRoQTxyBXHf8MsxhrO9o3b+NRimWXYsdq7
        ieV9ynkC1sZZHCDPCVcg2Q==
        -----END PRIVATE KEY-----
        """
    static let rsa1024 = """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAOQwg3bgZvj3gP8p
        7JQxuyC+t7Nk9WB8+IsepqwIf0zlaoQRobB7zVK4yCTjbiKu5kBhY+JaluflNtY3
        NB8/cq85pWTVpZjkvxD4Cpcc7N3eoZPoZOCQEgb6SGAE+nV4S4Xm2bjZIIjffwNC
        O7ZRN+7HvPT8f3JRfXYbo6O2BHkzAgMBAAECgYAmQxA4JaZ+hpnFr1TxAGm9Mt2A
        oiQW2r2eLjSKUh5uWWWD4aT3/7pM7Zj5vnzgKe2HzAzAjqoRFjkcsEL4Hl5vPBAU
        WE/B26szSL86WwHeUYqroBoYIBLRkd9fhA72bIimlAkTohkQA9DauN/B8gbkBA0h
        WjMOr/TnwHyE8hgBQQJBAP+PRp1TIaNby/2OZ2B+ICepX6Vbgao5+uMHnRoKajIT
        9o/+v3M+BWPUCrmazABVNXhuPX/0LwTaANCD8ZEAaNMCQQDklSpBQ/LOvyZqUT/f
        7jWWJU0ltqQnKtOJCDaApmrYp3K3PTKtyI8oP3J4rtPFOtQUCfvsK0M6qdkbl/aS
        83IhAkAaCGpVFGbU0UESbzMwrShxYduQaKXoxUc9YUUrpevzdf0j5ftyrdq2tJ7z
        EUW+su9jeTdilWlEwUBb/VTaRIRpAkEAic7gTb7AaSLW7ywS3VeI2P+eFkmZh7+L
        DsdzzHYIXpv9TjnIDvumSzaNNfL426SO7ZHjXsvqWTjDGp6wWoII4QJBANI8R/zy
        xXwevAkuwBbc2QduOv7SFBtOQ3ald/O/yfj0AcLK/gnG9xn1ykToSHA+NdgFb8+U
        5UIAQ+t03Wz2AKE=
        -----END PRIVATE KEY-----
        """
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBByYcZLxYdr3M5chb8k
        hIdwAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQcp48zTyuzxpj9y1J
        pZPFRgSBkHbeAfLluSh8I81BgkylYI33Z07B1Ogeqq6exBepmumPp2eY2ZK893g1
        XyjCSKLFrghV7RZbi3wt7gVmZn52Pb8SY7z7ydHkRFn/nOGvicLOZ9Pu+yuH9Gkn
        BHpIbYzJO09MujBTyrSHPQ0Ikp5TuAntYd/xi8DY7A3Ff0Vg+3jNg+0etOcXrMtw
        L7jZleenMQ==
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
