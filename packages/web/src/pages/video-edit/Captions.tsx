import { constraints } from "@kinora/domain/enums/Constraints"
import { useEffect, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { type Option, SelectField } from "../../ui/Choices.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { report } from "../../ui/Outcome.ts"
import { Badge, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { languageOptions } from "../../video-form/Choices.ts"
import { emptyCaptions } from "./CaptionLines.ts"
import { CaptionText } from "./CaptionText.tsx"
import type { VideoDetails } from "./Editable.ts"
import { openAddress } from "./OpenAddress.ts"

const t = text("edit")

type Caption = Output<"GET /api/v1/videos/:id/captions">["data"][number]

/** Captions that are being written: their language, and what there was. */
interface Writing {
  readonly language: string
  readonly written: string
}

/** The file of captions as text; undefined when it does not come. */
const textOf = async (video: VideoDetails, caption: Caption): Promise<string | undefined> => {
  const address = await openAddress(video, caption.captionPath)
  const answer = address === undefined ? undefined : await fetch(address).catch(() => undefined)
  return answer?.ok === true ? await answer.text() : undefined
}

/** Captions by language: more are uploaded or written, those there are can be changed and taken away. */
export const Captions = ({ video }: { readonly video: VideoDetails }) => {
  const { id } = video
  const captions = useLoad(`captions ${id}`, (signal) =>
    call("GET /api/v1/videos/:id/captions", { params: { id }, signal })
  )
  const [languages, setLanguages] = useState<ReadonlyArray<Option>>([])
  const [language, setLanguage] = useState(video.language.id ?? "en")
  const [busy, setBusy] = useState(false)
  const [writing, setWriting] = useState<Writing>()
  useEffect(() => void languageOptions("subtitle").then((all) => setLanguages(all.filter((it) => it.value !== ""))), [])
  const all = captions.data?.data ?? []
  const nameOf = (code: string | null, label: string): string =>
    languages.find((it) => it.value === code)?.label ?? label

  const add = async (file: File): Promise<void> => {
    const body = new FormData()
    body.set("captionfile", file)
    setBusy(true)
    const params = { id, captionLanguage: language }
    const answer = await call("PUT /api/v1/videos/:id/captions/:captionLanguage", { params, body })
    if (report(answer, t("captionsSet", { language: nameOf(language, language) }))) await captions.again()
    setBusy(false)
  }
  const edit = async (caption: Caption): Promise<void> => {
    const written = await textOf(video, caption)
    if (written === undefined) return toast(t("captionsLost"), "failed")
    setWriting({ language: caption.language.id ?? "und", written })
  }
  const write = async (): Promise<void> => {
    const known = all.find((it) => it.language.id === language)
    return known === undefined ? setWriting({ language, written: emptyCaptions }) : await edit(known)
  }
  const download = async (caption: Caption): Promise<void> => {
    const href = await openAddress(video, caption.captionPath)
    if (href === undefined) return toast(t("captionsLost"), "failed")
    Object.assign(document.createElement("a"), { href, download: "" }).click()
  }
  const remove = async (caption: Caption): Promise<void> => {
    const name = nameOf(caption.language.id, caption.language.label)
    const yes = await confirm({
      title: t("removeCaptions", { language: name }),
      text: t("removeCaptionsText"),
      action: t("remove"),
      danger: true
    })
    if (!yes) return
    const params = { id, captionLanguage: caption.language.id ?? "" }
    const answer = await call("DELETE /api/v1/videos/:id/captions/:captionLanguage", { params })
    if (report(answer, t("captionsRemoved", { language: name }))) await captions.again()
  }

  if (writing !== undefined) {
    return (
      <CaptionText
        key={writing.language}
        video={video}
        language={writing.language}
        languageName={nameOf(writing.language, writing.language)}
        written={writing.written}
        onSaved={captions.again}
        onClose={() => setWriting(undefined)}
      />
    )
  }
  return (
    <div class="card stack">
      {captions.failure !== undefined && (
        <LoadFailure reason={failureWords(captions.failure)} onRetry={() => void captions.again()} />
      )}
      {captions.data === undefined && captions.failure === undefined && <Skeleton rows={2} />}
      {captions.data !== undefined && all.length === 0 && <p class="lead">{t("noCaptions")}</p>}
      {all.length > 0 && (
        <ul class="rows" aria-label={t("captionList")}>
          {all.map((it) => {
            const name = nameOf(it.language.id, it.language.label)
            return (
              <li key={it.language.id}>
                <strong>{name}</strong>
                {it.automaticallyGenerated && <Badge>{t("automatic")}</Badge>}
                <span class="rows-acts">
                  <Button kind="quiet" icon="pencil" label={`${t("edit")}: ${name}`} onClick={() => void edit(it)} />
                  <Button
                    kind="quiet"
                    icon="download"
                    label={`${t("download")}: ${name}`}
                    onClick={() => void download(it)}
                  />
                  <Button kind="quiet" icon="trash" label={`${t("remove")}: ${name}`} onClick={() => void remove(it)} />
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <div class="beside">
        <SelectField
          label={t("captionLanguage")}
          help={t("captionHelp")}
          value={language}
          options={languages}
          onValue={setLanguage}
        />
        <FileButton accept={constraints.caption.extensions.join()} busy={busy} onFile={(file) => void add(file)}>
          {t("addCaptions")}
        </FileButton>
        <Button icon="pencil" onClick={() => void write()}>
          {t("writeCaptions")}
        </Button>
      </div>
    </div>
  )
}
