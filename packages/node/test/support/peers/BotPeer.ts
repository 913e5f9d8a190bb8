/**
 * An activitypub.bot server, in a process of its own: `node BotPeer.ts <port> <postgres url>` prints "ready". It has one
 * actor, `watcher`, and tells over `/control/…` what it was sent. It is another's implementation of the protocols: what it
 * refuses, we said wrongly.
 *
 * It wants version 4 of activitystrea.ms, which not every registry has; what it uses of that beyond version 3 is added here.
 */
import { createServer } from "node:http"
import { createRequire } from "node:module"

const [port = "", databaseUrl = ""] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`

interface Thing {
  readonly id?: string
  readonly type?: string
  readonly duration?: string
  readonly name?: { readonly get: () => string }
  readonly object?: { readonly first?: Thing }
}

/** What a bot may do, as its library names it. */
interface BotContext {
  readonly getObject: (url: string) => Promise<Thing>
  readonly followActor: (actor: Thing) => Promise<Thing>
  readonly isFollowing: (actor: Thing) => Promise<boolean>
  readonly sendReply: (text: string, to: Thing) => Promise<Thing>
  readonly likeObject: (object: Thing) => Promise<Thing>
}
type BotClass = new (name: string) => { readonly _context: BotContext }
interface App {
  (request: unknown, response: unknown): void
}
interface Library {
  readonly Bot: BotClass
  readonly makeApp: (options: Readonly<Record<string, unknown>>) => Promise<App>
}

interface Loader {
  makeDocLoader: () => (url: string) => Promise<unknown>
}
interface Streams {
  registerContext?: (url: string, context: unknown) => void
  mediaType?: string
  models?: { readonly Base: { readonly prototype: { isActivity?: (this: Thing) => boolean } } }
}

const ns = "https://www.w3.org/ns/activitystreams#"
const activityTypes = new Set(
  [
    "Accept",
    "Announce",
    "Create",
    "Delete",
    "Dislike",
    "Flag",
    "Follow",
    "Like",
    "Reject",
    "Undo",
    "Update",
    "View"
  ].map((name) => ns + name)
)

const completeStreams = () => {
  const require = createRequire(createRequire(import.meta.url).resolve("@evanp/activitypub-bot"))
  const loader = require("activitystrea.ms/src/contextloader") as { readonly prototype: Loader }
  const contexts = new Map<string, unknown>()
  const { makeDocLoader } = loader.prototype
  loader.prototype.makeDocLoader = function () {
    const load = makeDocLoader.call(this)
    return async (url) =>
      contexts.has(url) ? { contextUrl: null, document: contexts.get(url), documentUrl: url } : await load(url)
  }
  const streams = require("activitystrea.ms") as Streams
  streams.registerContext ??= (url, context) => void contexts.set(url, context)
  streams.mediaType ??= "application/activity+json"
  streams.models ??= require("activitystrea.ms/src/models") as NonNullable<Streams["models"]>
  streams.models.Base.prototype.isActivity ??= function () {
    return [this.type].flat().some((type) => activityTypes.has(type ?? ""))
  }
}

completeStreams()
const library: string = "@evanp/activitypub-bot"
const { Bot, makeApp } = (await import(library)) as Library

const seen: Array<{ readonly type: string; readonly id: string | undefined; readonly object: string | undefined }> = []

class Watcher extends Bot {
  async onPublic(activity: Thing) {
    seen.push({ type: (activity.type ?? "").replace(ns, ""), id: activity.id, object: activity.object?.first?.id })
    return false
  }
}

const watcher = new Watcher("watcher")
const app = await makeApp({
  databaseUrl,
  origin,
  bots: { watcher },
  logLevel: "warn",
  allowPrivateNetworkRequests: true
})

/** What a test asks this server to do. */
const commands: Record<string, (told: Record<string, string>, bot: BotContext) => Promise<unknown>> = {
  seen: async () => seen,
  follow: async ({ actor = "" }, bot) => {
    const target = await bot.getObject(actor)
    await bot.followActor(target)
    return { actor: target.id, name: target.name?.get() }
  },
  following: async ({ actor = "" }, bot) => await bot.isFollowing(await bot.getObject(actor)),
  video: async ({ url = "" }, bot) => {
    const { duration, id, name, type } = await bot.getObject(url)
    return { id, type: type?.replace(ns, ""), name: name?.get(), duration }
  },
  reply: async ({ text = "", to = "" }, bot) => ({ id: (await bot.sendReply(text, await bot.getObject(to))).id }),
  like: async ({ url = "" }, bot) => ({ id: (await bot.likeObject(await bot.getObject(url))).id })
}

createServer((request, response) => {
  const command = commands[(request.url ?? "").replace("/control/", "")]
  if (!request.url?.startsWith("/control/") || command === undefined) return app(request, response)
  const answer = async () => {
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const result = await command(text === "" ? {} : (JSON.parse(text) as Record<string, string>), watcher._context)
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result))
  }
  answer().catch((error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)))
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"))
