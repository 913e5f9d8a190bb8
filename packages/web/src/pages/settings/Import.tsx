import { type ImportSection, importSections, UserArchiveState } from "@kinora/domain/enums/UserArchiveState"
import { useRef, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { bytes, moment, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { Progress } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { sendArchive } from "../../uploads/ArchiveUpload.ts"
import { useLive } from "../admin/Live.ts"

const t = text("archives")
const common = text("common")

type Latest = Output<"GET /api/v1/users/:userId/imports/latest">

const isOpen = ({ state }: Latest): boolean => state.id < UserArchiveState.completed

/** What became of each section that had something. */
const Sections = ({ summary }: { readonly summary: NonNullable<Latest["resultSummary"]> }) => {
  const sections = importSections.flatMap((section: ImportSection) => {
    const { duplicates, errors, success } = summary.stats[section]
    return duplicates + errors + success === 0 ? [] : [{ section, counts: [success, duplicates, errors] }]
  })
  if (sections.length === 0) return null
  return (
    <div class="import-result" role="region" aria-label={t("outcome")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("what")}</th>
            <th scope="col">{t("new")}</th>
            <th scope="col">{t("before")}</th>
            <th scope="col">{t("notImported")}</th>
          </tr>
        </thead>
        <tbody>
          {sections.map(({ counts, section }) => (
            <tr key={section}>
              <th scope="row">{t("section", { section })}</th>
              {counts.map((count, i) => (
                <td key={i}>{number(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Outcome = ({ latest }: { readonly latest: Latest }) => {
  const at = moment(latest.createdAt)
  return (
    <div class="stack" role="status">
      <p>
        {latest.state.id === UserArchiveState.errored
          ? t("importFailed", { at, why: latest.error ?? "" })
          : t(isOpen(latest) ? "importing" : "imported", { at })}
      </p>
      {latest.resultSummary !== undefined && <Sections summary={latest.resultSummary} />}
    </div>
  )
}

/** Takes an archive of another instance, and shows what became of the last one. */
export const Import = ({ userId }: { readonly userId: number }) => {
  const last = useLoad(`import ${userId}`, (signal) =>
    call("GET /api/v1/users/:userId/imports/latest", { params: { userId }, signal })
  )
  const [sent, setSent] = useState<{ readonly bytes: number; readonly of: number }>()
  const [refusal, setRefusal] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  useLive(async () => {
    if (last.data !== undefined && isOpen(last.data)) await last.again()
  })
  const bring = async (file: File): Promise<void> => {
    const controller = new AbortController()
    sending.current = controller
    setRefusal(undefined)
    setSent({ bytes: 0, of: file.size })
    const outcome = await sendArchive(userId, file, (count, of) => setSent({ bytes: count, of }), controller.signal)
    setSent(undefined)
    if (outcome === "cancelled") return toast(t("cancelled"))
    if (!outcome.ok) return setRefusal(failureWords(outcome))
    await last.again()
  }
  return (
    <section class="card stack" aria-labelledby="import">
      <h2 id="import">{t("import")}</h2>
      <p class="lead">{t("importText")}</p>
      {last.failure !== undefined && last.failure.status !== 404 && <p role="alert">{failureWords(last.failure)}</p>}
      {last.data !== undefined && <Outcome latest={last.data} />}
      {sent === undefined ? (
        (last.data === undefined || !isOpen(last.data)) && (
          <div>
            <FileButton accept=".zip,application/zip" onFile={(file) => void bring(file)}>
              {t("choose")}
            </FileButton>
          </div>
        )
      ) : (
        <>
          <Progress label={t("sending")} value={sent.bytes} max={sent.of} />
          <div class="acts">
            <span>{t("sent", { sent: bytes(sent.bytes), size: bytes(sent.of) })}</span>
            <Button onClick={() => sending.current?.abort()}>{common("cancel")}</Button>
          </div>
        </>
      )}
      <p class="f-error" role="alert">
        {refusal}
      </p>
    </section>
  )
}
