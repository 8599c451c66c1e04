-- A block of 1 MiB out of the window, within a node, against MPI_Recv and memcpy.
WITH ways AS (
    SELECT variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM prefetch_transport_median
    WHERE size_bytes = 1048576 AND compute_ratio = 0 AND network = 'shared memory'),
bounds(id, peer, most) AS (VALUES ('datamotion-c-007', 'recv', 0.45), ('datamotion-c-008', 'memcpy', 1.15))
SELECT id, printf('%.2f times %s (%.1f against %.1f us)', window.mid / other.mid, peer, 1e6 * window.mid, 1e6 * other.mid) AS measured,
       printf('<= %.2f', most) AS bound,
       CASE WHEN window.high / other.low <= most THEN 1 WHEN window.low / other.high > most THEN 0 END AS ok,
       '' AS reason
FROM bounds JOIN ways AS other ON other.variant = peer JOIN ways AS window ON window.variant = 'window';
