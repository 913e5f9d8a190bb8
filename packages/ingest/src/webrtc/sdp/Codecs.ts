import type { MediaSection } from "./SessionDescription.ts"

/** A format of a medium that was offered, and that we take. */
export interface Format {
  readonly payloadType: number
  /** The parameters as the answer repeats them. */
  readonly parameters: string
  /** The format by which packets are repeated, if there is one. */
  readonly repeatType: number | undefined
  /** The kinds of feedback that were offered: `nack`, `nack pli`, … */
  readonly feedback: ReadonlySet<string>
}

interface Mapped {
  readonly payloadType: number
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
}

const mapOf = (values: ReadonlyArray<string>): ReadonlyMap<number, string> =>
  new Map(
    values.flatMap((value) => {
      const match = /^(\d{1,3}) (.*)$/.exec(value)
      return match === null ? [] : [[Number(match[1]), match[2]!] as const]
    })
  )

const parametersOf = (text: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    (text ?? "").split(";").flatMap((part) => {
      const [name = "", value = ""] = part.trim().split("=", 2)
      return name === "" ? [] : [[name.toLowerCase(), value] as const]
    })
  )

/** The formats of a medium that say what they are, in the order of the offer. */
const formatsOf = ({ attributes, formats }: MediaSection): ReadonlyArray<Mapped> => {
  const names = mapOf(attributes.get("rtpmap") ?? [])
  const parameters = mapOf(attributes.get("fmtp") ?? [])
  return formats.flatMap((format) => {
    const payloadType = Number(format)
    const name = names.get(payloadType)
    if (name === undefined || !(payloadType >= 0 && payloadType < 128)) return []
    return [{ payloadType, name: name.toLowerCase(), parameters: parametersOf(parameters.get(payloadType)) }]
  })
}

const feedbackOf = ({ attributes }: MediaSection, payloadType: number): ReadonlySet<string> =>
  new Set(
    (attributes.get("rtcp-fb") ?? []).flatMap((value) => {
      const [type = "", ...rest] = value.trim().split(" ")
      return type === "*" || type === String(payloadType) ? [rest.join(" ")] : []
    })
  )

/** Profiles that every decoder plays come first. */
const preferredProfiles = ["42e0", "4200", "4d00", "6400"]

const profileOf = ({ parameters }: Mapped): string => (parameters.get("profile-level-id") ?? "42000a").toLowerCase()

const rank = (format: Mapped): number => {
  const profile = preferredProfiles.indexOf(profileOf(format).slice(0, 4))
  const mode = format.parameters.get("packetization-mode") === "1" ? 0 : 100
  return (profile < 0 ? preferredProfiles.length : profile) + mode
}

/** H.264 of an offered medium: constrained baseline in packetization mode 1, else what is nearest. */
export const h264Of = (section: MediaSection): Format | undefined => {
  const all = formatsOf(section)
  const usable = all.filter(
    ({ name, parameters }) => name === "h264/90000" && (parameters.get("packetization-mode") ?? "0") !== "2"
  )
  const best = usable.toSorted((one, other) => rank(one) - rank(other))[0]
  if (best === undefined) return undefined
  const repeat = all.find(
    ({ name, parameters }) => name === "rtx/90000" && parameters.get("apt") === String(best.payloadType)
  )
  const mode = best.parameters.get("packetization-mode") ?? "0"
  const profile = profileOf(best)
  // The level is what we take, and not what the peer takes: 5.1, up to 4K.
  const ours = /^[0-9a-f]{6}$/.test(profile) ? `${profile.slice(0, 4)}33` : "42e033"
  const asymmetric = best.parameters.get("level-asymmetry-allowed") === "1"
  return {
    payloadType: best.payloadType,
    parameters: asymmetric
      ? `level-asymmetry-allowed=1;packetization-mode=${mode};profile-level-id=${ours}`
      : `packetization-mode=${mode};profile-level-id=${profile}`,
    repeatType: repeat?.payloadType,
    feedback: feedbackOf(section, best.payloadType)
  }
}

/** Opus of an offered medium. */
export const opusOf = (section: MediaSection): Format | undefined => {
  const found = formatsOf(section).find(({ name }) => name === "opus/48000/2")
  if (found === undefined) return undefined
  return {
    payloadType: found.payloadType,
    parameters: "minptime=10;stereo=1;useinbandfec=1;maxaveragebitrate=128000",
    repeatType: undefined,
    feedback: feedbackOf(section, found.payloadType)
  }
}
