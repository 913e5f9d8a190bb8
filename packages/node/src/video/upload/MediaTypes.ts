/** Extensions of containers that browsers play, with their media types. */
const plain = {
  ".webm": "video/webm",
  ".ogv": "video/ogg",
  ".ogg": "video/ogg",
  ".mp4": "video/mp4"
} as const

const additional = {
  ".mkv": "video/x-matroska",
  ".mov": "video/quicktime",
  ".qt": "video/quicktime",
  ".mqv": "video/quicktime",
  ".m4v": "video/x-m4v",
  ".flv": "video/x-flv",
  ".f4v": "video/x-flv",
  ".wmv": "video/x-ms-wmv",
  ".avi": "video/x-msvideo",
  ".3gp": "video/3gpp",
  ".3gpp": "video/3gpp",
  ".3g2": "video/3gpp2",
  ".3gpp2": "video/3gpp2",
  ".nut": "application/x-nut",
  ".mts": "video/mp2t",
  ".m2ts": "video/mp2t",
  ".mpv": "video/mpv",
  ".m2v": "video/mpeg2",
  ".m1v": "video/mpeg",
  ".mpg": "video/mpeg",
  ".mpe": "video/mpeg",
  ".mpeg": "video/mpeg",
  ".vob": "video/mpeg",
  ".mxf": "application/mxf"
} as const

const audio = {
  ".mp3": "audio/mpeg",
  ".wma": "audio/x-ms-wma",
  ".wav": "audio/x-wav",
  ".flac": "audio/flac",
  ".aac": "audio/aac",
  ".m4a": "audio/mp4",
  ".ac3": "audio/ac3"
} as const

const synonyms = [
  "video/avi",
  "video/msvideo",
  "video/matroska",
  "video/x-f4v",
  "video/mp2p",
  "video/nut",
  "audio/mp3",
  "audio/wav",
  "audio/x-flac",
  "audio/ogg",
  "audio/webm",
  "audio/vnd.dolby.dd-raw",
  "application/octet-stream"
]

export interface AcceptedTypes {
  readonly additionalExtensions: boolean
  readonly audioFiles: boolean
}

/** Extensions an instance names to those it refuses, in the order of the recorded answer. */
export const acceptedExtensions = (accepted: AcceptedTypes): ReadonlyArray<string> =>
  Object.keys({
    ...plain,
    ...(accepted.additionalExtensions ? additional : {}),
    ...(accepted.audioFiles ? audio : {})
  })

const extensionOf = (filename: string): string => /\.[^./\\]{1,10}$/.exec(filename)?.[0].toLowerCase() ?? ""

/**
 * A first look at what the client says of its file: refused when neither name nor media type is one we take. What the
 * file is, is decided by probing it.
 */
export const looksAcceptable = (filename: string, contentType: string, accepted: AcceptedTypes): boolean => {
  if (acceptedExtensions(accepted).includes(extensionOf(filename))) return true
  const mime = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const known: ReadonlyArray<string> = [
    ...Object.values(plain),
    ...(accepted.additionalExtensions
      ? [...Object.values(additional), ...synonyms.filter((type) => !type.startsWith("audio/"))]
      : []),
    ...(accepted.audioFiles ? [...Object.values(audio), ...synonyms.filter((type) => type.startsWith("audio/"))] : [])
  ]
  return known.includes(mime)
}
