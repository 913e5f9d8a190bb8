import { constraints } from "@kinora/domain/enums/Constraints"
import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Input } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { bytes, clock } from "../../i18n/Units.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { report } from "../../ui/Outcome.ts"
import { toast } from "../../ui/Toasts.tsx"
import type { VideoDetails } from "./Editable.ts"
import { openFile, smallestFile } from "./OpenAddress.ts"

const t = text("edit")

const { extensions, maxBytes } = constraints.video.image

const Frames = ({
  busy,
  onFrame,
  video
}: {
  readonly video: VideoDetails
  readonly busy: boolean
  readonly onFrame: (second: number) => void
}) => {
  const [address, setAddress] = useState<string>()
  const [second, setSecond] = useState(0)
  const player = useRef<HTMLVideoElement>(null)
  useEffect(() => void openFile(video).then(setAddress), [video.id])
  useEffect(() => {
    if (player.current !== null) player.current.currentTime = second
  }, [second, address])
  return (
    <div class="stack">
      {address !== undefined && (
        <video class="e-frame" ref={player} src={address} preload="metadata" muted playsInline />
      )}
      <Field label={t("frameAt")}>
        {(control) => (
          <input
            {...control}
            type="range"
            min={0}
            max={video.duration}
            value={second}
            aria-valuetext={clock(second)}
            onInput={(event) => setSecond(Number(event.currentTarget.value))}
          />
        )}
      </Field>
      <div>
        <Button kind="primary" busy={busy} onClick={() => onFrame(second)}>
          {t("useFrame", { at: clock(second) })}
        </Button>
      </div>
    </div>
  )
}

/** The picture that stands for a video: another file, or a moment of the video itself. */
export const Thumbnail = ({
  onSaved,
  video
}: {
  readonly video: VideoDetails
  readonly onSaved: () => Promise<void>
}) => {
  const [busy, setBusy] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const change = async (body: Input<"PUT /api/v1/videos/:id">["body"]): Promise<void> => {
    setBusy(true)
    const answer = await call("PUT /api/v1/videos/:id", { params: { id: video.id }, body })
    if (report(answer, t("thumbnailSet"))) await onSaved()
    setBusy(false)
  }
  const sendFile = (file: File): void => {
    if (file.size > maxBytes) return toast(t("pictureLarge", { size: bytes(maxBytes) }), "failed")
    const form = new FormData()
    form.set("thumbnailfile", file)
    void change(form)
  }
  return (
    <div class="card stack">
      <p class="lead">{t("thumbnailText")}</p>
      <img class="e-frame" src={video.previewPath} alt={t("current")} />
      <div class="acts">
        <FileButton accept={extensions.join()} busy={busy} onFile={sendFile}>
          {t("fromFile")}
        </FileButton>
        {smallestFile(video) !== undefined && !choosing && (
          <Button icon="film" onClick={() => setChoosing(true)}>
            {t("fromFrame")}
          </Button>
        )}
      </div>
      {choosing && <Frames video={video} busy={busy} onFrame={(at) => void change({ thumbnailTimecode: at })} />}
    </div>
  )
}
