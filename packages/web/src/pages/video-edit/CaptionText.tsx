import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { captionProblem, cueStartAt, withCue } from "./CaptionLines.ts"
import type { VideoDetails } from "./Editable.ts"
import { openFile } from "./OpenAddress.ts"

const t = text("edit")

/** How long a new cue is shown, in seconds. */
const cueSeconds = 3

interface CaptionTextProps {
  readonly video: VideoDetails
  /** Code of the language. */
  readonly language: string
  readonly languageName: string
  /** What is there so far. */
  readonly written: string
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

/** Captions as WebVTT beside the video, which shows the moment of the cue that is being written. What is typed is kept until it is saved. */
export const CaptionText = ({ language, languageName, onClose, onSaved, video, written }: CaptionTextProps) => {
  const draft = useDraft(`captions.${video.id}.${language}`, { text: written })
  const [address, setAddress] = useState<string>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const player = useRef<HTMLVideoElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => void openFile(video).then(setAddress), [video.id])
  useEffect(() => area.current?.focus(), [])
  const wrong = captionProblem(draft.value.text)

  const followCaret = (): void => {
    const box = area.current
    const start = box === null ? undefined : cueStartAt(box.value, box.selectionStart)
    if (start === undefined || player.current === null || !player.current.paused) return
    player.current.currentTime = start
  }
  const addCue = (): void => {
    const added = withCue(draft.value.text, player.current?.currentTime ?? 0, cueSeconds)
    draft.set({ text: added.text })
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(added.at, added.at)
      area.current?.scrollTo({ top: area.current.scrollHeight })
    })
  }
  const save = async (): Promise<void> => {
    setTried(true)
    if (wrong !== undefined) return area.current?.focus()
    setBusy(true)
    const body = new FormData()
    body.set("captionfile", new File([draft.value.text], `${language}.vtt`, { type: "text/vtt" }))
    const params = { id: video.id, captionLanguage: language }
    const answer = await call("PUT /api/v1/videos/:id/captions/:captionLanguage", { params, body })
    setBusy(false)
    if (!report(answer, t("captionsSet", { language: languageName }))) return
    draft.clear(draft.value)
    await onSaved()
    onClose()
  }
  return (
    <form
      class="card stack"
      aria-label={t("captionText", { language: languageName })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <h2>{t("captionText", { language: languageName })}</h2>
      <div class="two">
        <Field
          label={t("captionField")}
          help={t("captionTextHelp")}
          error={
            tried && wrong !== undefined ? t("captionWrong", { line: wrong.line, problem: wrong.problem }) : undefined
          }
        >
          {(control) => (
            <textarea
              {...control}
              class="in in-area e-captions"
              ref={area}
              rows={18}
              spellcheck
              lang={language}
              dir="auto"
              value={draft.value.text}
              onInput={(event) => draft.set({ text: event.currentTarget.value })}
              onClick={followCaret}
              onKeyUp={followCaret}
            />
          )}
        </Field>
        <div class="stack">
          {address !== undefined && (
            <video class="e-frame" ref={player} src={address} preload="metadata" controls playsInline />
          )}
          <div>
            <Button icon="plus" onClick={addCue}>
              {t("addCue")}
            </Button>
          </div>
        </div>
      </div>
      <div class="acts">
        <Button type="submit" kind="primary" busy={busy}>
          {t("save")}
        </Button>
        <Button
          onClick={() => {
            draft.clear()
            onClose()
          }}
        >
          {t("discard")}
        </Button>
      </div>
    </form>
  )
}
