import { Schema } from "effect"
import { subtitleLanguageLabels } from "../enums/VideoLanguage.ts"
import { field, optional } from "../fields/Field.ts"
import { boolean } from "../fields/Readers.ts"

/** Path parameter: the language of captions. */
export const CaptionLanguage = field<string>({
  message: "Must be one of the codes that /api/v1/videos/languages?scope=subtitle lists",
  documented: { type: "string" },
  parse: (input) => (typeof input === "string" && Object.hasOwn(subtitleLanguageLabels, input) ? input : undefined)
})

/** Whether captions are written although there are some (contract: VideoCaptionGenerate). */
export const GenerateCaption = Schema.Struct({ forceTranscription: optional(boolean({ default: false })) })
