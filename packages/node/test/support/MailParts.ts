/** A mail as it arrived, decoded. `text` and `html` are its two bodies, `""` when there is none. */
export interface MailParts {
  /** Names in small letters; of a header that comes twice, both values. */
  readonly headers: ReadonlyMap<string, ReadonlyArray<string>>
  readonly subject: string
  readonly text: string
  readonly html: string
}

const unquote = (text: string, underscores: boolean): Buffer =>
  Buffer.from(
    (underscores ? text.replaceAll("_", " ") : text.replace(/=\r?\n/g, "")).replace(/=([0-9A-F]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    ),
    "latin1"
  )

/** Encoded words (RFC 2047) as text. */
export const decodeWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, content: string) =>
      (kind.toLowerCase() === "b" ? Buffer.from(content, "base64") : unquote(content, true)).toString("latin1")
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, "latin1").toString("utf8"))

const split = (raw: string): { readonly headers: Map<string, Array<string>>; readonly body: string } => {
  const end = raw.indexOf("\r\n\r\n")
  const head = end === -1 ? raw : raw.slice(0, end)
  const headers = new Map<string, Array<string>>()
  for (const line of head.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    const key = name.toLowerCase()
    headers.set(key, [...(headers.get(key) ?? []), value!])
  }
  return { headers, body: end === -1 ? "" : raw.slice(end + 4) }
}

const decodeBody = (body: string, encoding: string): string => {
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : encoding === "quoted-printable"
        ? unquote(body, false)
        : Buffer.from(body, "latin1")
  return bytes.toString("utf8").replaceAll("\r\n", "\n")
}

const bodies = (raw: string): { readonly text: string; readonly html: string } => {
  const { body, headers } = split(raw)
  const type = headers.get("content-type")?.[0] ?? "text/plain"
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary !== undefined) {
    const parts = body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => bodies(part.replace(/^\r\n/, "")))
    return { text: parts.map((it) => it.text).join(""), html: parts.map((it) => it.html).join("") }
  }
  const content = decodeBody(body, (headers.get("content-transfer-encoding")?.[0] ?? "7bit").toLowerCase())
  return type.startsWith("text/html") ? { text: "", html: content } : { text: content, html: "" }
}

/** Reads a message (RFC 5322, MIME) as nodemailer makes them; `raw` has one character a byte. */
export const mailParts = (raw: string): MailParts => {
  const { headers } = split(raw)
  return { headers, subject: decodeWords(headers.get("subject")?.[0] ?? ""), ...bodies(raw) }
}
