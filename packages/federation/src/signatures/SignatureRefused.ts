import { Schema } from "effect"

/**
 * A request is not believed to come from whom it says. `status` is what to answer: 401 when no signature of use is there,
 * 403 when there is one and it is false, 503 when its key could not be had now (the sender may try again).
 */
export class SignatureRefused extends Schema.TaggedError<SignatureRefused>()("SignatureRefused", {
  status: Schema.Literals([401, 403, 503]),
  why: Schema.String
}) {
  override get message(): string {
    return this.why
  }
}
