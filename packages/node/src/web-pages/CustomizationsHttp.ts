import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../platform/config/Config.ts"
import { answer } from "../platform/http/Answer.ts"
import { type CustomFile, customScript, customStyles } from "./Customizations.ts"

const respond = (file: CustomFile | undefined, contentType: string) =>
  answer(
    file === undefined
      ? Effect.fail(new FileNotFound())
      : Effect.succeed(
          HttpServerResponse.text(file.text, {
            contentType,
            // The address names a text. Without it, or with that of another text, the file of now must not be kept.
            headers: { "cache-control": "public, max-age=60", "x-content-type-options": "nosniff" }
          })
        )
  )

/** `/client/custom/style.css` and `script.js`: what an administrator wrote for the look of the pages. */
export const CustomizationRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    yield* router.add("GET", "/client/custom/style.css", () =>
      Effect.suspend(() => respond(customStyles(config), "text/css; charset=utf-8"))
    )
    yield* router.add("GET", "/client/custom/script.js", () =>
      Effect.suspend(() => respond(customScript(config), "text/javascript; charset=utf-8"))
    )
  })
)
