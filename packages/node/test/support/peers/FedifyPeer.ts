/**
 * An ActivityPub server built on Fedify, in a process of its own: `node FedifyPeer.ts <port>` prints "ready". It has one
 * actor, `fred`, and tells over `/control/…` what it was sent. It is another's implementation of the protocols: what it
 * refuses, we said wrongly.
 */
import {
  createFederation,
  exportJwk,
  generateCryptoKeyPair,
  importJwk,
  InProcessMessageQueue,
  MemoryKvStore
} from "@fedify/fedify"
import {
  Accept,
  Activity,
  Create,
  Follow,
  isActor,
  Like,
  type Object as ApObject,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Undo,
  Video
} from "@fedify/vocab"
import { createServer, type IncomingMessage } from "node:http"

const port = Number(process.argv[2])
const origin = `http://127.0.0.1:${port}`
const name = "fred"

interface Seen {
  readonly type: string
  readonly id: string | undefined
  readonly object: string | undefined
}
const seen: Array<Seen> = []
type Exported = Awaited<ReturnType<typeof exportJwk>>
const keys: Array<{ privateKey: Exported; publicKey: Exported }> = []
const notes = new Map<string, Note>()

const federation = createFederation<void>({
  kv: new MemoryKvStore(),
  queue: new InProcessMessageQueue(),
  allowPrivateAddress: true
})

federation
  .setActorDispatcher("/users/{identifier}", async (context, identifier) => {
    if (identifier !== name) return null
    const pairs = await context.getActorKeyPairs(identifier)
    return new Person({
      id: context.getActorUri(identifier),
      preferredUsername: identifier,
      name: "Fred of elsewhere",
      summary: "<p>From <strong>another</strong> house</p>",
      url: new URL(`/@${identifier}`, origin),
      inbox: context.getInboxUri(identifier),
      outbox: context.getOutboxUri(identifier),
      followers: context.getFollowersUri(identifier),
      publicKey: pairs[0]!.cryptographicKey,
      assertionMethods: pairs.map(({ multikey }) => multikey)
    })
  })
  .setKeyPairsDispatcher(async () => {
    if (keys.length === 0) {
      for (const algorithm of ["RSASSA-PKCS1-v1_5", "Ed25519"] as const) {
        const pair = await generateCryptoKeyPair(algorithm)
        keys.push({ privateKey: await exportJwk(pair.privateKey), publicKey: await exportJwk(pair.publicKey) })
      }
    }
    return await Promise.all(
      keys.map(async (pair) => ({
        privateKey: await importJwk(pair.privateKey, "private"),
        publicKey: await importJwk(pair.publicKey, "public")
      }))
    )
  })

federation.setOutboxDispatcher("/users/{identifier}/outbox", async () => ({ items: [] }))
federation.setFollowersDispatcher("/users/{identifier}/followers", async () => ({ items: [] }))
federation.setObjectDispatcher(Note, "/notes/{id}", async (_context, { id }) => notes.get(id) ?? null)
federation
  .setInboxListeners("/users/{identifier}/inbox", "/inbox")
  .setSharedKeyDispatcher(() => ({ identifier: name }))
  .on(Activity, async (_context, activity) => {
    seen.push({ type: activity.constructor.name, id: activity.id?.href, object: activity.objectId?.href })
  })

const body = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const contextOf = () => federation.createContext(new URL(origin), undefined)

const lookup = async (url: string): Promise<ApObject> => {
  const context = contextOf()
  const documentLoader = await context.getDocumentLoader({ identifier: name })
  const found = await context.lookupObject(url, { documentLoader })
  if (found === null) throw new Error(`${url} was not found`)
  return found
}

const actorAt = async (url: string) => {
  const found = await lookup(url)
  if (!isActor(found)) throw new Error(`${url} is no actor`)
  return found
}

/** What a test asks this server to do. */
const commands: Record<string, (told: Record<string, string>) => Promise<unknown>> = {
  seen: async () => seen,
  /** Follows an actor, by address or handle. */
  follow: async ({ actor = "" }) => {
    const context = contextOf()
    const target = await actorAt(actor)
    const id = new URL(`/follows/${encodeURIComponent(target.id!.href)}`, origin)
    const follow = new Follow({ id, actor: context.getActorUri(name), object: target.id! })
    await context.sendActivity({ identifier: name }, target, follow)
    return { actor: target.id!.href, name: target.name?.toString(), username: target.preferredUsername?.toString() }
  },
  unfollow: async ({ actor = "" }) => {
    const context = contextOf()
    const target = await actorAt(actor)
    const id = new URL(`/follows/${encodeURIComponent(target.id!.href)}`, origin)
    const follow = new Follow({ id, actor: context.getActorUri(name), object: target.id! })
    const undo = new Undo({ id: new URL(`${id.href}/undo`), actor: context.getActorUri(name), object: follow })
    await context.sendActivity({ identifier: name }, target, undo)
    return {}
  },
  /** Reads a video as this server understands it. */
  video: async ({ url = "" }) => {
    const found = await lookup(url)
    if (!(found instanceof Video)) throw new Error(`${url} is a ${found.constructor.name}`)
    return {
      id: found.id?.href,
      name: found.name?.toString(),
      duration: found.duration?.toString(),
      attributed: found.attributionIds.map((it) => it.href),
      urls: found.urls.map((it) => (it instanceof URL ? it.href : it.href?.href))
    }
  },
  /** Answers a video or a comment with a note. */
  reply: async ({ text = "", to = "" }) => {
    const context = contextOf()
    const target = await lookup(to)
    const id = String(notes.size + 1)
    const note = new Note({
      id: new URL(`/notes/${id}`, origin),
      attribution: context.getActorUri(name),
      content: text,
      mediaType: "text/html",
      replyTarget: target.id!,
      to: PUBLIC_COLLECTION,
      cc: target.attributionId!
    })
    notes.set(id, note)
    const create = new Create({
      id: new URL(`/notes/${id}/activity`, origin),
      actor: context.getActorUri(name),
      object: note,
      to: PUBLIC_COLLECTION,
      cc: target.attributionId!
    })
    await context.sendActivity({ identifier: name }, await actorAt(target.attributionId!.href), create)
    return { id: note.id!.href }
  },
  like: async ({ url = "" }) => {
    const context = contextOf()
    const target = await lookup(url)
    const like = new Like({
      id: new URL(`/likes/${encodeURIComponent(url)}`, origin),
      actor: context.getActorUri(name),
      object: target.id!
    })
    await context.sendActivity({ identifier: name }, await actorAt(target.attributionId!.href), like)
    return {}
  },
  accepted: async () => seen.filter((it) => it.type === Accept.name)
}

const server = createServer((request, response) => {
  const answer = async () => {
    const path = request.url ?? "/"
    const sent = await body(request)
    const command = commands[path.replace("/control/", "")]
    if (path.startsWith("/control/") && command !== undefined) {
      const told = sent.length === 0 ? {} : (JSON.parse(sent.toString()) as Record<string, string>)
      const result = await command(told)
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result))
      return
    }
    const headers = new Headers()
    for (const [key, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(key, Array.isArray(value) ? value.join(", ") : value)
    }
    const asked = new Request(new URL(path, origin), {
      method: request.method ?? "GET",
      headers,
      ...(sent.length === 0 ? {} : { body: new Uint8Array(sent) })
    })
    const answered = await federation.fetch(asked, {
      contextData: undefined,
      onNotFound: () => new Response("not found", { status: 404 }),
      onNotAcceptable: () => new Response("not acceptable", { status: 406 })
    })
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(Buffer.from(await answered.arrayBuffer()))
  }
  answer().catch((error: unknown) => {
    response.writeHead(500, { "content-type": "text/plain" }).end(String(error))
  })
})
server.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"))
