import { known, seenByYtDlp } from "./SeenByYtDlp.ts"

seenByYtDlp(known)
