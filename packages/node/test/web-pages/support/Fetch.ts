import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { World } from "./World.ts"

/** Markup without the line breaks and blanks that only its source has. */
const plain = (markup: string): string =>
  markup
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?\/?>/g, ">")
    .replaceAll("> <", "><")

/** `GET` of a path of the test server: status, headers and text, which is put on one line when it is a page. */
export const get = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  const { origin } = yield* World
  const response = yield* HttpClient.get(`${origin}${path}`, { headers })
  const text = yield* response.text
  const page = response.headers["content-type"]?.startsWith("text/html") ?? false
  return { status: response.status, headers: response.headers, text: page ? plain(text) : text }
})
