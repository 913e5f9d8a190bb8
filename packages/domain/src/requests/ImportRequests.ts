import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { maxId } from "../ids/Ids.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { integer, nullable, text } from "../fields/Readers.ts"
import { isAbsent, toBoundedText } from "../fields/Values.ts"
import { VideoUpdate } from "./VideoUpload.ts"
import { videoFields } from "./VideoFields.ts"

const { url } = constraints.import

/** A magnet link that names a torrent of BitTorrent 1 (BEP 9), wherever in its query. */
const magnetLink = /^magnet:\?(?:[^#]*&)?xt(?:\.\d+)?=urn:btih:(?:[0-9a-f]{40}|[a-z2-7]{32})(?:&|$)/i

const magnet: Reader<string> = {
  message: "Must be a magnet link with an info hash of BitTorrent",
  documented: {
    type: "string",
    format: "uri",
    maxLength: url.max,
    pattern: "magnet:\\?xt=urn:[a-zA-Z0-9]+:[a-zA-Z0-9]{32}"
  },
  parse: (input) => {
    const uri = toBoundedText(input, url.min, url.max)
    return uri !== undefined && magnetLink.test(uri) ? uri : undefined
  }
}

const address = text({
  ...url,
  message: `Must be the address of a video, with ${url.min} to ${url.max} characters`,
  documented: { format: "uri" }
})

/** Fields that say where an imported video comes from, besides the file `torrentfile`. */
export const importFields = { targetUrl: nullable(address), magnetUri: nullable(magnet) } as const

/** Row id of an import. */
export const ImportId = field(
  integer({
    min: 1,
    max: maxId,
    message: "Must be the id of an import",
    documented: { minimum: 1, maximum: undefined }
  })
)

/** An omitted name is that of the imported video. */
const name: Reader<string | null> = {
  ...videoFields.name,
  parse: (input) => (isAbsent(input) ? null : videoFields.name.parse(input))
}

/** Fields of an import besides its files (contract: VideoCreateImport). */
export const ImportCreate = Schema.Struct({
  ...VideoUpdate.fields,
  name: optional(name),
  channelId: field(videoFields.channelId),
  targetUrl: optional(importFields.targetUrl),
  magnetUri: optional(importFields.magnetUri)
})
export type ImportCreate = typeof ImportCreate.Type

/** Names every failing field; fields nobody knows are ignored. */
export const decodeImportCreate = Schema.decodeUnknownEffect(ImportCreate, { errors: "all" })
