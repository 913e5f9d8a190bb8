import { useEffect, useRef } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { SoundMeter } from "./SoundMeter.tsx"

const t = text("broadcast")

/** What is sent, or would be: the picture without its sound, and how loud that is. */
export const Preview = ({ stream }: { readonly stream: MediaStream }) => {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream
  }, [stream])
  return (
    <div class="stack">
      <video ref={video} class="broadcast-preview" autoPlay muted playsInline aria-label={t("preview")} />
      {stream.getAudioTracks().length > 0 ? <SoundMeter stream={stream} /> : <p class="f-help">{t("noSound")}</p>}
    </div>
  )
}
