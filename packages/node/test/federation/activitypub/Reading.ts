import { Object as ActivityObject } from "@fedify/vocab"
import { preloadedContexts, type RemoteDocument } from "@fedify/vocab-runtime"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"

export const activityJson = "application/activity+json"

/** Reads an address as another server does. */
export const read = (path: string, accept = activityJson) => send(path, { headers: { accept } })

const ask = async (url: string) => {
  const response = await fetch(url, { method: "HEAD", headers: { accept: activityJson } })
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") }
}

/** What is told of an object without it. */
export const headOf = (path: string) => Effect.flatMap(baseUrl, (base) => Effect.promise(() => ask(base + path)))

/** Of the suite's node, whatever port it listens on. */
export const origin = "http://localhost:9000"
/** The path of an address of the node's. */
export const pathOf = (url: string): string => url.replace(origin, "")

/** Contexts that stand in the reader's own code; nothing is fetched. */
const contextLoader = (url: string): Promise<RemoteDocument> =>
  url in preloadedContexts
    ? Promise.resolve({ contextUrl: null, document: preloadedContexts[url], documentUrl: url })
    : Promise.reject(new Error(`${url} is not bundled`))

/** Reads an object by a vocabulary that others have written. */
export const parsed = (json: unknown) =>
  Effect.promise(() =>
    ActivityObject.fromJsonLd(json, { contextLoader, documentLoader: () => Promise.reject(new Error("no fetching")) })
  )

/** Writes a comment of an account, the owner of `root` unless it is named, and gives its row id. */
export const addComment = Effect.fn("addComment")(function* (
  video: number,
  text: string,
  more: { readonly parent?: number; readonly account?: number; readonly trusted?: boolean } = {}
) {
  const sql = yield* SqlClient
  const { parent, trusted = true } = more
  const [owner] = yield* sql<{ readonly id: number }>`
    select id from account where user_id = (select min(id) from app_user)`
  const accountId = more.account ?? owner!.id
  return yield* localComment({ videoId: video, accountId, inReplyTo: parent, text, trusted })
}, Effect.orDie)

/** An account of another instance; gives its row id and that of its actor. */
export const addStranger = Effect.fn("addStranger")(function* (name: string) {
  const sql = yield* SqlClient
  const url = `https://elsewhere.example/users/${name}`
  yield* sql`insert into server (host) values ('elsewhere.example') on conflict do nothing`
  const rows = yield* sql<{ readonly actor: number; readonly account: number }>`
    with a as (
      insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
      select 'Person', ${name}, id, ${url}, ${`${url}/inbox`}, 'key' from server where host = 'elsewhere.example'
      returning id
    ), c as (insert into account (actor_id, display_name) select id, ${name} from a returning id, actor_id)
    select actor_id as actor, id as account from c`
  return rows[0]!
}, Effect.orDie)
