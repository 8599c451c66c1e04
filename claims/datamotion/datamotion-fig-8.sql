-- The suite's own target for sync all, 2 images on one node.
WITH sync AS (SELECT variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_sync_median WHERE operation = 'sync-all'),
mpi AS (SELECT group_concat(printf(', MPI_Barrier %.0f ns', 1e9 * mid), '') AS text FROM sync WHERE variant = 'mpi')
SELECT 'datamotion-c-016' AS id, printf('%.2f times (%.0f against %.0f ns%s)', own.mid / other.mid, 1e9 * own.mid, 1e9 * other.mid,
       coalesce(text, '')) AS measured,
       '<= 0.8' AS bound, CASE WHEN own.high / other.low <= 0.8 THEN 1 WHEN own.low / other.high > 0.8 THEN 0 END AS ok, '' AS reason
FROM sync AS own, sync AS other, mpi WHERE own.variant = 'datamotion' AND other.variant = 'opencoarrays';
