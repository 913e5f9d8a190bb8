import { AbuseState } from "@kinora/domain/enums/AbuseState"
import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { mayUse } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Badge } from "../../ui/States.tsx"
import { PersonLink } from "../admin/People.tsx"
import { TextDialog, type TextQuestion } from "../admin/TextDialog.tsx"
import { Messages } from "./Messages.tsx"
import { Reported } from "./Reported.tsx"
import {
  blockQuestion,
  decide,
  deleteComment,
  deleteReport,
  isPending,
  muteAccount,
  noteQuestion,
  type Report
} from "./Reports.ts"

const t = text("reports")

const stateKinds: Readonly<Record<number, "warn" | "plain" | "good">> = {
  [AbuseState.pending]: "warn",
  [AbuseState.rejected]: "plain",
  [AbuseState.accepted]: "good"
}

const kindOf = (report: Report): "comment" | "video" | "account" =>
  report.comment === undefined ? (report.video === undefined ? "account" : "video") : "comment"

const People = ({ report }: { readonly report: Report }) => (
  <dl class="report-people">
    <div>
      <dt>{t("reportedBy", { count: report.countReportsForReporter ?? 0 })}</dt>
      <dd>{report.reporterAccount === undefined ? t("gone") : <PersonLink person={report.reporterAccount} />}</dd>
    </div>
    <div>
      <dt>{t("against", { count: report.countReportsForReportee ?? 0 })}</dt>
      <dd>{report.flaggedAccount === undefined ? t("gone") : <PersonLink person={report.flaggedAccount} />}</dd>
    </div>
  </dl>
)

/** One report: what it is about, who made it, and what moderators do about it. */
export const ReportCard = ({ onChange, report }: { readonly report: Report; readonly onChange: () => void }) => {
  const [question, setQuestion] = useState<TextQuestion>()
  const [open, setOpen] = useState(false)
  const { comment, video } = report
  const run = async (doing: Promise<boolean>): Promise<void> => {
    if (await doing) onChange()
  }
  const items: Array<MenuItem> = [
    { label: t("noteTitle"), icon: "pencil", onSelect: () => setQuestion(noteQuestion(report)) },
    ...(video !== undefined && !video.deleted && !video.blacklisted && mayUse("MANAGE_VIDEO_BLACKLIST")
      ? [{ label: t("blockVideo"), icon: "ban", onSelect: () => setQuestion(blockQuestion(video)) } as const]
      : []),
    ...(comment !== undefined && !comment.deleted && mayUse("MANAGE_ANY_VIDEO_COMMENT")
      ? [
          {
            label: t("deleteComment"),
            icon: "trash",
            danger: true,
            onSelect: () => void run(deleteComment(report))
          } as const
        ]
      : []),
    ...(report.flaggedAccount !== undefined && mayUse("MANAGE_ACCOUNTS_BLOCKLIST")
      ? [{ label: t("muteAccount"), icon: "mute", onSelect: () => void run(muteAccount(report)) } as const]
      : []),
    { label: t("deleteReport"), icon: "trash", danger: true, onSelect: () => void run(deleteReport(report)) }
  ]
  const title = t("heading", { kind: kindOf(report), id: report.id })
  return (
    <article class="card report" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <Badge kind={stateKinds[report.state.id] ?? "plain"}>{t("stateName", { state: report.state.id })}</Badge>
        <time dateTime={report.createdAt}>{moment(report.createdAt)}</time>
      </header>
      <div class="report-body">
        <div class="stack">
          <p class="words">{report.reason}</p>
          {report.predefinedReasons.length > 0 && (
            <div class="badges">
              {report.predefinedReasons.map((it) => (
                <Badge key={it}>{t("reasonName", { reason: it })}</Badge>
              ))}
            </div>
          )}
          <Reported report={report} />
          {report.moderationComment !== undefined && report.moderationComment !== "" && (
            <div class="note">
              <strong>{t("noteTitle")}</strong>
              <p class="words">{report.moderationComment}</p>
            </div>
          )}
        </div>
        <People report={report} />
      </div>
      <footer>
        {isPending(report) ? (
          <>
            <Button small icon="check" onClick={() => void run(decide(report, AbuseState.accepted))}>
              {t("accept")}
            </Button>
            <Button small icon="close" onClick={() => void run(decide(report, AbuseState.rejected))}>
              {t("reject")}
            </Button>
          </>
        ) : (
          <Button small icon="retry" onClick={() => void run(decide(report, AbuseState.pending))}>
            {t("reopen")}
          </Button>
        )}
        <Button small icon="chat" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("messages", { count: report.countMessages })}
        </Button>
        <Menu label={t("more", { id: report.id })} icon="dots" kind="quiet" items={items} />
      </footer>
      {open && <Messages report={report} onCount={onChange} />}
      {question !== undefined && (
        <TextDialog question={question} onClose={() => setQuestion(undefined)} onDone={onChange} />
      )}
    </article>
  )
}
