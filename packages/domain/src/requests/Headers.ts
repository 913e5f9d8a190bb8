import { constraints } from "../enums/Constraints.ts"
import { optional } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"

/** The password of a password-protected video. */
export const videoPasswordHeader = {
  "x-peertube-video-password": optional(
    text({
      min: 0,
      max: constraints.video.password.max,
      message: "Must be a valid video password header",
      documented: { description: "The password of a password-protected video" }
    })
  )
}

const otp = text({ min: 0, max: 100, message: "Must be a valid one-time code header" })

/** The one-time code of a user with two factors, under either of its names. */
export const oneTimeCodeHeaders = { "x-peertube-otp": optional(otp), "x-service-otp": optional(otp) }

/** The token that takes the place of a login where the files of one video are concerned. */
export const videoFileTokenQuery = {
  videoFileToken: optional(
    text({
      min: 1,
      max: 200,
      message: "Must be a valid video file token",
      documented: { description: "Takes the place of a login" }
    })
  )
}
