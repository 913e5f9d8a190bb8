import { Result } from "effect"
import { isObject, type Json, type JsonObject } from "../vocabulary/Json.ts"
import { identifierOf, identifiersOf } from "../vocabulary/Reading.ts"
import { NotItsAuthority } from "./NotItsAuthority.ts"
import { hasPlainHost } from "../vocabulary/PlainHost.ts"
import { makeRecent } from "./Recent.ts"

/** Longest address of an object that is taken, in bytes of UTF-8: a key of the database holds no more. */
const maxId = 2_000

/** Characters that a URL must encode, or that nothing means well with. */
const suspicious = /[\p{Cc} "'<>\\^`{|}]/u

/** Scheme and authority: an origin hangs on nothing behind them. */
const beforePath = /^https?:\/\/[^/?#]+/

const parsedOrigin = (id: string): string | null => {
  const url = URL.parse(id)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null
  return url.username === "" && url.password === "" && hasPlainHost(url) ? url.origin : null
}

const knownOrigins = makeRecent<string, string | null>(10_000)

/**
 * Scheme, host and port of an http or https address, or null for anything else: addresses with credentials, spaces or
 * characters that a URL must encode are nobody's, and so are those of hosts that have no plain name.
 */
export const originOf = (id: string): string | null => {
  if (id.length > maxId || suspicious.test(id) || (id.length > maxId / 3 && Buffer.byteLength(id) > maxId)) return null
  const start = beforePath.exec(id)?.[0]
  if (start === undefined) return parsedOrigin(id)
  let origin = knownOrigins.get(start)
  if (origin === undefined) knownOrigins.set(start, (origin = parsedOrigin(start)))
  return origin
}

/** Whether one authority stands behind both (FEP-fe34). */
export const sameOrigin = (a: string, b: string): boolean => {
  const origin = originOf(a)
  return origin !== null && origin === originOf(b)
}

/** Host, with its port where it has one, of an address that has an origin. */
export const hostOf = (id: string): string => {
  const origin = originOf(id)
  return origin === null ? new URL(id).host : origin.slice(origin.indexOf("://") + 3)
}

const refused = (why: string) => Result.fail(new NotItsAuthority({ why }))

/** The address without its fragment, as it is asked for. */
const placeOf = (id: string): string => {
  const url = new URL(id)
  url.hash = ""
  return url.href
}

/**
 * What was fetched, held against where it was found after all redirects: it must say who it is, and that must be under the
 * authority of the place (corpus AP-14, AP-21). `ours` is our own origin, of which nothing is learnt from the network. An
 * object that calls itself by another address of the same origin is refused with `moved` set to that address: fetch it from
 * there, once.
 */
export const checkFetched = (
  finalUrl: string,
  object: JsonObject,
  ours: string
): Result.Result<JsonObject & { readonly id: string }, NotItsAuthority> => {
  const { id } = object
  if (typeof id !== "string") return refused("an object without id")
  const origin = originOf(id)
  if (origin === null) return refused("an id that is no address")
  if (origin === ours) return refused("an object of this instance")
  if (origin !== originOf(finalUrl)) return refused("an id of another origin than where it was found")
  if (placeOf(id) !== placeOf(finalUrl)) {
    return Result.fail(new NotItsAuthority({ why: "an id that is elsewhere", moved: id }))
  }
  return Result.succeed(object as JsonObject & { readonly id: string })
}

/** What an activity is about, and how far its sender may speak of it. */
export type Subject =
  /** Sent along by its authority, and by one of those it is attributed to: may be believed. */
  | { readonly _tag: "Believed"; readonly id: string; readonly object: JsonObject }
  /**
   * Known by its id alone: what came with it, in `claim`, is believed of nothing. `whose` says where to fetch it:
   * of the sender's own origin, another one, or it is ours, which only our own rows describe.
   */
  | {
      readonly _tag: "Named"
      readonly id: string
      readonly whose: "sender's" | "others'" | "ours"
      readonly claim: JsonObject | null
    }
  /** Sent along without an id of its own, as a part of the activity. It says nothing of anything that has an id. */
  | { readonly _tag: "Inline"; readonly object: JsonObject }

export interface CheckedActivity {
  /** Of the sender's origin, or no address at all: see `deletionOf`. */
  readonly id: string
  readonly type: string
  /** The sender, who is the actor too. */
  readonly actor: string
  readonly subjects: ReadonlyArray<Subject>
  /** Normalised, as it was verified. */
  readonly activity: JsonObject
}

/** Objects of one activity that are looked at (corpus AP-26). */
const maxSubjects = 50

/**
 * Whether an object says of nobody but its sender that it is theirs: it could be checked for one owner and kept for another.
 * A video is its account's and its channel's, and which of two that is has to be known before.
 */
const isTheirs = (object: JsonObject, sender: string): boolean => {
  const authors = [...new Set(identifiersOf(object["attributedTo"]))]
  const actors = identifiersOf(object["actor"])
  if (actors.some((it) => it !== sender)) return false
  if (object["type"] === "Video" && authors.length === 2) {
    return authors.includes(sender) && authors.every((it) => sameOrigin(it, sender))
  }
  return authors.every((it) => it === sender)
}

const subjectOf = (value: Json, sender: string, ours: string): Subject | null => {
  const id = typeof value === "string" ? value : isObject(value) ? value["id"] : null
  if (typeof id !== "string") return isObject(value) && id === undefined ? { _tag: "Inline", object: value } : null
  const origin = originOf(id)
  if (origin === null) return null
  const claim = isObject(value) ? value : null
  if (origin === ours) return { _tag: "Named", id, whose: "ours", claim }
  if (origin !== originOf(sender)) return { _tag: "Named", id, whose: "others'", claim }
  if (claim === null) return { _tag: "Named", id, whose: "sender's", claim }
  // The origin vouches for what it serves, but not one of its actors for what belongs to another. An actor may send itself
  // along, whoever it belongs to, never another one.
  const speaks =
    id === sender
      ? [claim["attributedTo"], claim["actor"]].flatMap((it) => identifiersOf(it)).every((it) => sameOrigin(it, sender))
      : typeof claim["type"] === "string" && isTheirs(claim, sender) && !("inbox" in claim)
  if (!speaks) return { _tag: "Named", id, whose: "sender's", claim }
  return { _tag: "Believed", id, object: claim }
}

/** Longest name of a deletion, in bytes: an index of the database holds no more. */
const maxName = 2_400

/**
 * The name of a deletion that is called after what it deletes, as PeerTube does (contract: urls `delete`), also where a video's
 * owner takes down what somebody elsewhere wrote below it. That id is not the sender's to give, so that nobody is kept from
 * giving it who may: the deletion goes by a name that no id can have.
 */
const deletionOf = (sender: string, { id, object, type }: JsonObject): string | null => {
  const about = type === "Delete" ? identifierOf(object) : null
  if (about === null || id !== `${about}/delete`) return null
  const name = `${sender} deletes ${about}`
  return Buffer.byteLength(name) > maxName ? null : name
}

/**
 * What may be believed of an activity that `sender` has proved to have sent (FEP-fe34; corpus AP-02 to AP-04, AP-07, AP-21,
 * AP-22). The actor must be the sender and the activity of its origin. Of what it is about, only what the sender has
 * authority over is believed as it came; everything else is a name under which its own authority has to be asked.
 *
 * @param ours our own origin: nothing sent along about what is ours is ever believed
 */
export const checkActivity = (
  sender: string,
  activity: JsonObject,
  ours: string
): Result.Result<CheckedActivity, NotItsAuthority> => {
  const { id, type } = activity
  const origin = originOf(sender)
  if (origin === null || origin === ours) return refused("a sender that cannot be one")
  if (typeof type !== "string") return refused("an activity without type")
  if (typeof id !== "string") return refused("an activity without id")
  const name = originOf(id) === origin ? id : deletionOf(sender, activity)
  if (name === null) return refused("an activity of another origin than its sender")
  const actors = identifiersOf(activity["actor"])
  if (actors.length !== 1 || actors[0] !== sender) return refused("an actor that is not the sender")
  const given = activity["object"]
  const values: ReadonlyArray<Json> =
    given === undefined || given === null ? [] : Array.isArray(given) ? (given as ReadonlyArray<Json>) : [given]
  if (values.length > maxSubjects) return refused("too many objects")
  const subjects: Array<Subject> = []
  for (const value of values) {
    const subject = subjectOf(value, sender, ours)
    if (subject === null) return refused("an object that has no address")
    subjects.push(subject)
  }
  return Result.succeed({ id: name, type, actor: sender, subjects, activity })
}

/** A public key as somebody's document gives it. */
export interface ClaimedKey {
  readonly id: string
  readonly owner: string
}

/**
 * Whether a key is the actor's: the key names the actor, the actor's document (fetched from its own address) names the key,
 * and both are of one origin (corpus AP-03, AP-14).
 */
export const ownsKey = (actor: string, key: ClaimedKey): boolean => key.owner === actor && sameOrigin(actor, key.id)
