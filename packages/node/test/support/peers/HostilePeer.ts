/**
 * A server that means ill, in a process of its own: `node HostilePeer.ts <port>` prints "ready". It answers at every address
 * 127.66.n.1 and 127.77.0.1 with that port, so that each of its lies has a host of its own; every path tells what it does
 * (`/lie/<kind>`, `/chain/<n>` …). `/control/key` gives the private key of all its actors, `/control/asked` how often each
 * kind of path was asked for.
 */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { brotliCompressSync, gzipSync } from "node:zlib"

const port = Number(process.argv[2])
const hosts = 48
const pem = { type: "spki", format: "pem" } as const
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength })
const { privateKey, publicKey } = rsa(2048)
const publicKeyPem = publicKey.export(pem) as string
const others = Array.from({ length: 3 }, () => rsa(2048).publicKey.export(pem) as string)
const small = rsa(1024).publicKey.export(pem) as string

const asked = new Map<string, number>()
/** What was sent to inboxes. */
const taken: Array<{ readonly type: string; readonly id: string; readonly name: string }> = []
let fetches = 0

const activityJson = "application/activity+json"
const publicly = "https://www.w3.org/ns/activitystreams#Public"
type Json = Record<string, unknown>

const actorAt = (id: string, more: Json = {}): Json => {
  const { origin, pathname } = new URL(id)
  return {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1", `${origin}/context`],
    id,
    type: "Person",
    preferredUsername: pathname.split("/").at(-1),
    url: id,
    inbox: `${origin}/inbox${pathname}`,
    outbox: `${origin}/pages/outbox`,
    followers: `${origin}/pages/followers`,
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem },
    ...more
  }
}

const noteAt = (id: string, inReplyTo: string): Json => ({
  id,
  type: "Note",
  attributedTo: `${new URL(id).origin}/people/eve`,
  content: "Said by nobody",
  inReplyTo,
  published: "2026-01-01T00:00:00.000Z",
  to: [publicly]
})

const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200) =>
  void response.writeHead(status, { "content-type": activityJson, ...headers }).end(JSON.stringify(body))

/** Writes until nobody listens any more. */
const forever = (response: ServerResponse, chunk: string, everyMillis: number) => {
  const write = () => {
    if (response.destroyed || response.closed) return
    if (everyMillis > 0) {
      response.write(chunk)
      setTimeout(write, everyMillis)
    } else if (response.write(chunk)) setImmediate(write)
    else response.once("drain", write)
  }
  write()
}

const megabytes = Buffer.alloc(64 * 1024 * 1024, 0x20)
/** A gibibyte of spaces in one mebibyte: members of gzip follow one another. */
const gzipped = gzipSync(megabytes)
const gzipBomb = Buffer.concat(Array.from({ length: 16 }, () => gzipped))
const brotliBomb = brotliCompressSync(megabytes)

const redirect = (response: ServerResponse, location: string) => void response.writeHead(302, { location }).end()

const lies: Readonly<Record<string, (id: string, response: ServerResponse) => void>> = {
  drip: (id, response) => {
    response.writeHead(200, { "content-type": activityJson }).write(JSON.stringify(actorAt(id)).slice(0, -1))
    forever(response, " ", 200)
  },
  silent: () => undefined,
  endless: (_, response) => {
    response.writeHead(200, { "content-type": activityJson }).write('{"name":"')
    forever(response, "x".repeat(65_536), 0)
  },
  headers: (id, response) => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, nth) => [`x-${nth}`, "y".repeat(200)]))
    json(response, actorAt(id), many)
  },
  gzip: (_, response) =>
    void response.writeHead(200, { "content-type": activityJson, "content-encoding": "gzip" }).end(gzipBomb),
  brotli: (_, response) =>
    void response.writeHead(200, { "content-type": activityJson, "content-encoding": "br" }).end(brotliBomb),
  nested: (_, response) => {
    const headers = { "content-type": activityJson, "content-encoding": "gzip, gzip, gzip" }
    response.writeHead(200, headers).end(gzipSync(gzipSync(gzipBomb)))
  },
  loop: (id, response) => redirect(response, id),
  hops: (id, response) => redirect(response, `${id}?${Math.random()}`),
  private: (_, response) => redirect(response, "http://10.0.0.1/latest"),
  metadata: (_, response) => redirect(response, "http://169.254.169.254/latest/meta-data"),
  mapped: (_, response) => redirect(response, "http://[::ffff:10.0.0.1]/"),
  file: (_, response) => redirect(response, "file:///etc/passwd"),
  data: (_, response) => redirect(response, "data:application/activity+json,{}"),
  gopher: (_, response) => redirect(response, "gopher://127.0.0.1:70/"),
  elsewhere: (_, response) => redirect(response, `http://127.77.0.1:${port}/people/honest`),
  html: (id, response) => json(response, actorAt(id), { "content-type": "text/html" }),
  plain: (id, response) => json(response, actorAt(id), { "content-type": "application/json" }),
  untyped: (id, response) => void response.writeHead(200).end(JSON.stringify(actorAt(id))),
  short: (id, response) => {
    response.writeHead(200, { "content-type": activityJson, "content-length": "1000000000" })
    response.write(JSON.stringify(actorAt(id)))
    setTimeout(() => response.destroy(), 50)
  },
  huge: (_, response) => {
    response.writeHead(200, { "content-type": activityJson, "content-length": "99999999999" }).write("{")
  },
  reset: (_, response) => void response.socket?.resetAndDestroy(),
  garbage: (_, response) => void response.socket?.end("SSH-2.0-OpenSSH_9.9\r\n"),
  deep: (id, response) => {
    response.writeHead(200, { "content-type": activityJson })
    response.end(`{"id":"${id}","type":"Note","object":${'{"object":'.repeat(5_000)}1${"}".repeat(5_001)}`)
  },
  wide: (id, response) => {
    const many = Array.from({ length: 10_000 }, (_, nth) => `${new URL(id).origin}/people/${nth}`)
    json(response, { ...actorAt(id), type: "Video", attributedTo: many, tag: many, to: many, url: many, icon: many })
  },
  empty: (_, response) => void response.writeHead(200, { "content-type": activityJson }).end(),
  broken: (_, response) => void response.writeHead(200, { "content-type": activityJson }).end('{"id":'),
  utf16: (id, response) => {
    const body = Buffer.from(`\ufeff${JSON.stringify(actorAt(id))}`, "utf16le")
    response.writeHead(200, { "content-type": `${activityJson}; charset=utf-16` }).end(body)
  },
  alternate: (id, response) => {
    const page = `<html><head><link rel="alternate" type="${activityJson}" href="${id}?2">${"<a ".repeat(200_000)}`
    response.writeHead(200, { "content-type": "text/html" }).end(page)
  },
  patience: (_, response) => json(response, {}, { "retry-after": "9999999" }, 429),
  past: (_, response) => json(response, {}, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 503),
  other: (id, response) => json(response, { ...actorAt(id), id: `http://127.77.0.1:${port}/people/honest` }),
  // Keys alone.
  changing: (id, response) => {
    const publicKeyPem = others[fetches++ % others.length]
    json(response, actorAt(id, { publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem } }))
  },
  small: (id, response) =>
    json(response, actorAt(id, { publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: small } })),
  bomb: (id, response) => {
    const publicKeyPem = `-----BEGIN PUBLIC KEY-----\n${"A".repeat(200_000)}\n-----END PUBLIC KEY-----`
    json(response, actorAt(id, { publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem } }))
  },
  theirs: (id, response) => {
    const victim = `http://127.77.0.1:${port}/people/honest`
    json(response, actorAt(id, { publicKey: { id: `${victim}#main-key`, owner: victim, publicKeyPem } }))
  }
}

/** Descriptors that lie about whose they are (WF-03, WF-05). */
const fingers: Readonly<Record<string, (origin: string, response: ServerResponse) => void>> = {
  elsewhere: (_, response) => {
    const href = `http://127.77.0.1:${port}/people/honest`
    const links = [{ rel: "self", type: activityJson, href }]
    json(response, { subject: `acct:elsewhere@127.66.0.1:${port}`, links }, { "content-type": "application/jrd+json" })
  },
  links: (origin, response) => {
    const self = { rel: "self", type: activityJson, href: `${origin}/people/eve` }
    const links = [...Array.from({ length: 10_000 }, (_, nth) => ({ rel: `x${nth}`, href: "data:," })), self]
    json(response, { subject: `acct:links@${new URL(origin).host}`, links }, { "content-type": "application/jrd+json" })
  },
  big: (_, response) => {
    response.writeHead(200, { "content-type": "application/jrd+json" }).write('{"subject":"')
    forever(response, "x".repeat(65_536), 0)
  },
  html: (origin, response) => {
    const links = [{ rel: "self", type: activityJson, href: `${origin}/people/eve` }]
    json(response, { subject: `acct:html@${new URL(origin).host}`, links }, { "content-type": "text/html" })
  },
  private: (_, response) => redirect(response, "http://10.0.0.1/.well-known/webfinger"),
  scheme: (_, response) => {
    const links = [{ rel: "self", type: activityJson, href: "javascript:alert(1)" }]
    json(response, { subject: "acct:scheme@x", links }, { "content-type": "application/jrd+json" })
  }
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const control = (path: string, response: ServerResponse) => {
  if (path === "key") return json(response, { pem: privateKey.export({ type: "pkcs8", format: "pem" }) })
  if (path === "asked") return json(response, Object.fromEntries(asked))
  if (path === "taken") return json(response, taken)
  response.writeHead(404).end()
}

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const { href: id, origin, pathname, searchParams } = new URL(request.url ?? "/", `http://${request.headers.host}`)
  const [, kind = "", name = "", last = ""] = pathname.split("/")
  asked.set(`${kind}/${name}`, (asked.get(`${kind}/${name}`) ?? 0) + 1)
  asked.set(kind, (asked.get(kind) ?? 0) + 1)
  if (kind === "control") return control(name, response)
  if (kind === "inbox") {
    const { id: activity, type } = JSON.parse(await read(request)) as { id: string; type: string }
    taken.push({ type, id: activity, name: last })
    const lie = Object.hasOwn(lies, last) ? lies[last] : undefined
    return lie === undefined ? void response.writeHead(204).end() : lie(id, response)
  }
  if (kind === "people") return json(response, actorAt(origin + pathname))
  if (kind === "lie") return lies[name]?.(origin + pathname, response) ?? undefined
  // Comments that reply to one another without an end, and in a circle.
  if (kind === "chain") return json(response, noteAt(id, `${origin}/chain/${Number(name) + 1}`))
  if (kind === "circle") return json(response, noteAt(id, `${origin}/circle/${(Number(name) + 1) % 3}`))
  // Collections whose next page always comes.
  if (kind === "pages") {
    const page = Number(searchParams.get("page") ?? "1")
    const orderedItems = Array.from({ length: 1_000 }, (_, nth) => `${origin}/elements/${page * 1_000 + nth}`)
    const next = `${origin}/pages/${name}?page=${page + 1}`
    return json(response, { id, type: "OrderedCollectionPage", totalItems: 1e9, orderedItems, next, first: next })
  }
  if (kind === "playlist") {
    const first = `${origin}/pages/playlist?page=1`
    const whole = { id, type: "Playlist", name: "Without an end", totalItems: 1e9, first, to: [publicly] }
    const uuid = "1d9dd4ff-7f5d-4c4e-9c4b-0d6d7f7b6a11"
    return json(response, { ...whole, uuid, attributedTo: [`${origin}/people/eve`], published: "2026-01-01T00:00:00Z" })
  }
  if (pathname === "/.well-known/webfinger") {
    const [finger = ""] = (searchParams.get("resource") ?? "").replace("acct:", "").split("@")
    return fingers[finger]?.(origin, response) ?? void response.writeHead(404).end()
  }
  if (pathname === "/.well-known/nodeinfo") {
    const rel = "https://www.w3.org/ns/activitystreams#Application"
    const links = [{ rel, href: "http://10.0.0.1/actor" }]
    return json(response, { links }, { "content-type": "application/json" })
  }
  response.writeHead(404).end()
}

const addresses = ["127.0.0.1", "127.77.0.1", ...Array.from({ length: hosts }, (_, nth) => `127.66.${nth}.1`)]
const listening = addresses.map(
  (address) =>
    new Promise<void>((done, fail) => {
      const server = createServer((request, response) => {
        response.on("error", () => undefined)
        answer(request, response).catch((error: unknown) => {
          process.stderr.write(`${String(error)}\n`)
          response.destroy()
        })
      })
      server.once("error", fail)
      server.listen(port, address, done)
    })
)
await Promise.all(listening)
process.stdout.write("ready\n")
