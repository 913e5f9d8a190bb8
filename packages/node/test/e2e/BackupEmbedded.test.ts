import { backupRestored } from "./BackupRestored.ts"

backupRestored("embedded")
