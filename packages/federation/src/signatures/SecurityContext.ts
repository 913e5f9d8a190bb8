/** Terms of `https://w3id.org/security/v1`, by the IRI they stand for. Terms with `id` hold urls, those with `time` moments. */
const terms = {
  plain: [
    "EcdsaKoblitzSignature2016",
    "Ed25519Signature2018",
    "EncryptedMessage",
    "GraphSignature2012",
    "LinkedDataSignature2015",
    "LinkedDataSignature2016",
    "authenticationTag",
    "canonicalizationAlgorithm",
    "cipherAlgorithm",
    "cipherData",
    "cipherKey",
    "digestAlgorithm",
    "digestValue",
    "domain",
    "encryptionKey",
    "initializationVector",
    "iterationCount",
    "nonce",
    "normalizationAlgorithm",
    "password",
    "privateKeyPem",
    "publicKeyBase58",
    "publicKeyPem",
    "publicKeyWif",
    "salt",
    "signature",
    "signatureValue"
  ],
  id: ["owner", "privateKey", "publicKey", "publicKeyService"]
} as const

const time = (id: string) => ({ "@id": id, "@type": "xsd:dateTime" })

/** The JSON-LD context `https://w3id.org/security/v1` (W3C Community Group, Security Vocabulary). */
export const securityContext = {
  "@context": {
    id: "@id",
    type: "@type",
    dc: "http://purl.org/dc/terms/",
    sec: "https://w3id.org/security#",
    xsd: "http://www.w3.org/2001/XMLSchema#",
    CryptographicKey: "sec:Key",
    signatureAlgorithm: "sec:signingAlgorithm",
    created: time("dc:created"),
    creator: { "@id": "dc:creator", "@type": "@id" },
    expiration: time("sec:expiration"),
    expires: time("sec:expiration"),
    revoked: time("sec:revoked"),
    ...Object.fromEntries(terms.plain.map((term) => [term, `sec:${term}`])),
    ...Object.fromEntries(terms.id.map((term) => [term, { "@id": `sec:${term}`, "@type": "@id" }]))
  }
}
