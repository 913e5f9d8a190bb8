import type { ActorImageType } from "@kinora/domain/enums/ImageSizes"
import { toJson } from "@kinora/domain/wire/Json"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { weakEtag } from "../../platform/http/Conditional.ts"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ImageUpload } from "../../people/actor/ImageUpload.ts"
import { Appearance } from "../appearance/Appearance.ts"
import { Homepage } from "../homepage/Homepage.ts"
import { CustomSettings } from "../settings/CustomSettings.ts"
import { PasswordConfirmation } from "../../people/session/PasswordConfirmation.ts"
import { type SignupShown, SignupPolicy } from "../../people/registration/SignupPolicy.ts"
import { aboutWire } from "./AboutWire.ts"
import { serverConfigWire } from "./ServerConfigWire.ts"

/** A response that is built once, with its entity tag. */
const ready = <A>(value: A) => {
  const text = toJson(value)
  return jsonText(text, { headers: { etag: weakEtag(text, Buffer.byteLength(text)) } })
}

/**
 * What clients read about the instance, and the settings of administrators. `GET /config` and `/config/about` follow from the
 * configuration alone, so their answers are built once after each change of settings. `/config` has one version for each
 * combination of "may I register" and "is there a homepage".
 */
export const layer = apiGroup(
  "config",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const runtime = yield* RuntimeConfig
    const policy = yield* SignupPolicy
    const homepage = yield* Homepage
    const settings = yield* CustomSettings
    const confirmation = yield* PasswordConfirmation
    const appearance = yield* Appearance
    const uploads = yield* ImageUpload
    const made = (signup: SignupShown, hasHomepage: boolean) =>
      ready(serverConfigWire(config, signup, hasHomepage, appearance.shown()))
    const answers = (hasHomepage: boolean) => ({
      closed: made({ allowed: false, allowedForCurrentIP: false }, hasHomepage),
      notForYou: made({ allowed: true, allowedForCurrentIP: false }, hasHomepage),
      open: made({ allowed: true, allowedForCurrentIP: true }, hasHomepage)
    })
    const without = runtime.derived(() => answers(false))
    const withHomepage = runtime.derived(() => answers(true))
    const about = runtime.derived(() => ready(aboutWire(config, appearance.shown())))
    const pick = (request: HttpServerRequest, type: ActorImageType) =>
      Effect.gen(function* () {
        const user = yield* CurrentUser
        yield* appearance.setImage(user, type, yield* uploads.read(request, type))
      }).pipe(Effect.scoped)
    const drop = (type: ActorImageType) => Effect.flatMap(CurrentUser, (user) => appearance.removeImage(user, type))

    return handlers.handleAll({
      getConfig: ({ request }) =>
        Effect.zipWith(
          policy.shown(Option.getOrUndefined(request.remoteAddress)),
          homepage.isThere,
          ({ allowed, allowedForCurrentIP }, isThere) => {
            const { closed, notForYou, open } = isThere ? withHomepage() : without()
            return allowedForCurrentIP ? open : allowed ? notForYou : closed
          }
        ),
      getAbout: () => Effect.sync(about),
      getCustomConfig: () => answer(settings.current),
      putCustomConfig: ({ payload }) => answer(Effect.flatMap(CurrentUser, (user) => settings.update(user, payload))),
      delCustomConfig: () =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* confirmation.require(user)
            return yield* settings.reset(user)
          })
        ),
      postConfigInstanceBannerPick: ({ request }) => answer(pick(request, "banner")),
      deleteConfigInstanceBanner: () => answer(drop("banner")),
      postConfigInstanceAvatarPick: ({ request }) => answer(pick(request, "avatar")),
      deleteConfigInstanceAvatar: () => answer(drop("avatar")),
      postConfigInstanceLogoPick: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* appearance.setLogo(user, params.logoType, yield* uploads.read(request, "logo"))
          }).pipe(Effect.scoped)
        ),
      deleteConfigInstanceLogoByLogoType: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => appearance.removeLogo(user, params.logoType))),
      getCustomConfigOrigins: () => answer(Effect.map(settings.origins, (data) => ({ data })))
    } satisfies Answers<"config">)
  })
)
