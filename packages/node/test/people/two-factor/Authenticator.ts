import { Clock, Effect } from "effect"
import * as OTPAuth from "otpauth"
import { postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { post } from "../verification/MailedNode.ts"

export const password = "password1"

/** An authenticator that was set up by scanning the address. `steps` moves its clock by as many half minutes. */
export class Authenticator {
  readonly #totp: OTPAuth.TOTP
  constructor(uri: string) {
    this.#totp = OTPAuth.URI.parse(uri) as OTPAuth.TOTP
  }
  code(steps = 0) {
    return Effect.map(Clock.currentTimeMillis, (now) => this.#totp.generate({ timestamp: now + steps * 30_000 }))
  }
}

/** A code that is not one of those that are accepted now. */
export const wrongCode = Effect.fnUntraced(function* (authenticator: Authenticator) {
  const near = yield* Effect.all([-2, -1, 0, 1, 2].map((steps) => authenticator.code(steps)))
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code))!
})

/** Waits until the present time step has more than `seconds` left, so that a code is not overtaken by the next. */
export const early = Effect.fnUntraced(function* (seconds = 8) {
  const left = 30 - (((yield* Clock.currentTimeMillis) / 1000) % 30)
  if (left < seconds) yield* Effect.sleep(`${left * 1000 + 50} millis`)
})

export const path = (userId: number, what: "request" | "confirm-request" | "disable") =>
  `/api/v1/users/${userId}/two-factor/${what}`

/** Asks for two factors and gives the answer's one item. */
export const request = Effect.fnUntraced(function* (userId: number, token: string) {
  const answer = yield* post(path(userId, "request"), { currentPassword: password }, token)
  if (answer.status !== 200) return yield* Effect.die(`request: ${answer.text}`)
  return answer.json[0].otpRequest as { readonly requestToken: string; readonly secret: string; readonly uri: string }
})

/** Switches two factors on with the code of the step before, so that the present one's is still to be used. */
export const switchOn = Effect.fnUntraced(function* (userId: number, token: string) {
  const { requestToken, uri } = yield* request(userId, token)
  const authenticator = new Authenticator(uri)
  yield* early()
  const otpToken = yield* authenticator.code(-1)
  const answer = yield* post(path(userId, "confirm-request"), { requestToken, otpToken }, token)
  if (answer.status !== 204) return yield* Effect.die(`confirm: ${answer.text}`)
  return authenticator
})

/** Logs in with a code in a header; gives the whole answer. */
export const loginWith = Effect.fnUntraced(function* (
  username: string,
  code: string | undefined,
  options: { readonly password?: string; readonly header?: "x-peertube-otp" | "x-service-otp" } = {}
) {
  const form = yield* tokenForm({ grant_type: "password", username, password: options.password ?? password })
  if (code === undefined) return yield* postForm(form)
  return yield* send("/api/v1/users/token", {
    method: "POST",
    headers: { [options.header ?? "x-peertube-otp"]: code },
    body: new URLSearchParams(form)
  })
})
