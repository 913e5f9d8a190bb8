/** Result of one check. `advice` says what to do; it is present whenever something is wrong. */
export interface Finding {
  readonly level: "good" | "warning" | "failure"
  readonly subject: string
  readonly detail: string
  readonly advice?: string
}

export const good = (subject: string, detail: string): Finding => ({ level: "good", subject, detail })

export const warning = (subject: string, detail: string, advice: string): Finding => ({
  level: "warning",
  subject,
  detail,
  advice
})

export const failure = (subject: string, detail: string, advice: string): Finding => ({
  level: "failure",
  subject,
  detail,
  advice
})

const marks: Readonly<Record<Finding["level"], string>> = { good: "ok  ", warning: "warn", failure: "FAIL" }

/** One line per finding, with its advice below. */
export const renderFindings = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(...findings.map((finding) => finding.subject.length))
  return findings
    .flatMap((finding) => [
      `${marks[finding.level]}  ${finding.subject.padEnd(width)}  ${finding.detail}`,
      ...(finding.advice === undefined ? [] : [`${" ".repeat(width + 8)}-> ${finding.advice}`])
    ])
    .join("\n")
}
