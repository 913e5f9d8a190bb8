import { describe, expect, it } from "vitest"
import { type MovingReport, reportText, shortTables } from "../../../src/instance/moving/MovingReport.ts"

const report: MovingReport = {
  origin: "https://videos.example",
  dryRun: false,
  tables: [
    { table: "user", rows: 5, written: 4, present: 4, refused: ["id: 7: \u001b[31mno"] },
    { table: "video", rows: 2, written: 2, present: 1, refused: [] },
    { table: "abuse", rows: 0, written: 0, present: 0, refused: [] }
  ],
  leftBehind: [
    { table: "oAuthToken", rows: 3, reason: "sessions" },
    { table: "plugin", rows: 0, reason: "plugins" }
  ],
  unknownTables: [{ table: "later", rows: 1 }],
  unknownColumns: Array.from({ length: 30 }, (_, place) => `video.c${place}`),
  missingTables: [],
  missingColumns: [],
  files: { files: 2, bytes: 2048, missing: [], missingCount: 0, verified: 2, damaged: [] },
  settings: null,
  notes: []
}

describe("the report of an import", () => {
  it("says what became of each table, and leaves out what there was none of", () => {
    const lines = reportText(report).split("\n")
    expect(lines).toContain("  user: 4 of 5, 4 there; 1 left out")
    expect(lines).toContain("Files: 2 files, 2.0 KiB, 2 verified by SHA-256")
    expect(lines).toContain("  later (1)")
    expect(lines).toContain("  … and 10 more")
    expect(lines.join()).not.toMatch(/abuse|plugin/)
  })

  it("has no control characters of the old database", () => {
    expect(reportText(report)).toContain("  user, id: 7:  [31mno")
  })

  it("finds tables that are short of rows, unless missing files have taken some", () => {
    expect(shortTables(report)).toEqual(["video"])
    expect(shortTables({ ...report, files: { ...report.files, missingCount: 1 } })).toEqual([])
  })
})
