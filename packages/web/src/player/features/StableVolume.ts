import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import { rememberStableVolume } from "./StableVolumeMemory.ts"

interface Chain {
  readonly set: (on: boolean) => void
}

/** A media element can be joined to one audio graph only, and for good. */
const chains = new WeakMap<HTMLVideoElement, Chain>()

/** Sound of another origin would fall silent in an audio graph. What hls.js plays has the page's own origin. */
const isOwn = (video: HTMLVideoElement): boolean =>
  video.currentSrc.startsWith("blob:") || new URL(video.currentSrc, location.href).origin === location.origin

const createChain = async (video: HTMLVideoElement): Promise<Chain | undefined> => {
  const context = new AudioContext()
  // Without a gesture of the viewer the context does not run, and the video would have no sound.
  await Promise.race([context.resume(), new Promise((resolve) => setTimeout(resolve, 500))])
  if (context.state !== "running") {
    await context.close()
    return undefined
  }
  const source = context.createMediaElementSource(video)
  const compressor = new DynamicsCompressorNode(context, {
    threshold: -40,
    knee: 30,
    ratio: 8,
    attack: 0.005,
    release: 0.3
  })
  const gain = new GainNode(context, { gain: 1.4 })
  compressor.connect(gain).connect(context.destination)
  return {
    set: (on) => {
      source.disconnect()
      source.connect(on ? compressor : context.destination)
    }
  }
}

const turn = async ({ overlay, root, video }: Player, on: boolean): Promise<boolean> => {
  if (!isOwn(video)) {
    overlay.say(t("stableVolumeImpossible"))
    return false
  }
  const chain = chains.get(video) ?? (on ? await createChain(video) : undefined)
  if (chain === undefined) return false
  chains.set(video, chain)
  chain.set(on)
  if (on) root.dataset["stable"] = ""
  else delete root.dataset["stable"]
  return true
}

/** Makes quiet passages louder and loud ones quieter, or stops doing so. */
export const toggleStableVolume = async (player: Player): Promise<void> => {
  const on = player.root.dataset["stable"] === undefined
  if (!(await turn(player, on))) return
  rememberStableVolume(on)
  player.overlay.flash("loud", on ? t("stableVolumeOn") : t("stableVolumeOff"))
}

/** Does as this browser remembers, as soon as the viewer has touched the page. */
export const stabilizeAgain = (player: Player): void => {
  const again = () => void turn(player, true)
  if (navigator.userActivation?.hasBeenActive === true) again()
  else addEventListener("pointerdown", again, { once: true })
}
