-- All pairs of images at once on one host, time of a block: two-sided against one-sided.
WITH run AS (
    SELECT bytes, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_contention_median
    WHERE pairs = (SELECT max(pairs) FROM coarrays_contention_median)),
ratio AS (
    SELECT bytes, b.variant AS variant, a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high
    FROM run AS a JOIN run AS b USING (bytes) WHERE a.variant = 'sendrecv'),
caf AS (SELECT min(mid) AS least, max(mid) AS most FROM ratio WHERE variant = 'caf-get')
SELECT 'fanfarillo-c-154' AS id,
       printf('%.2f to %.2f over %d sizes, above 1 at %d; caf-get %.2f to %.2f', min(mid), max(mid), count(*), sum(mid > 1), caf.least, caf.most) AS measured,
       'latency of MPI_Send and MPI_Recv / MPI_Get > 1 at every size' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok,
       'this CPU, not a Xeon Phi; ' || (SELECT max(pairs) FROM coarrays_contention_median) || ' pairs at once' AS reason
FROM ratio, caf WHERE variant = 'mpi-get' HAVING count(*) > 0;
