-- PUT of a block out of pageable and page-locked main memory and straight out of the memory of a GPU: slowest / fastest of the three.
WITH way AS (SELECT variant, block_elements AS n, time_s AS mid, time_low_s AS low, time_high_s AS high FROM rdma_put_median),
direct AS (
    SELECT *, row_number() OVER (PARTITION BY n ORDER BY variant <> 'cuda-aware', mid) AS nth
    FROM way WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store')),
kind AS (
    SELECT n, variant AS name, mid, low, high FROM way WHERE variant IN ('host-pageable', 'host-pinned')
    UNION ALL SELECT n, 'GPU memory', mid, low, high FROM direct WHERE nth = 1),
ratio AS (
    SELECT n, max(mid) / min(mid) AS mid, max(low) / min(high) AS low, max(high) / min(low) AS high FROM kind GROUP BY n HAVING count(*) = 3),
growth AS (
    SELECT large.name AS name, large.mid / small.mid AS mid FROM kind AS large JOIN kind AS small USING (name)
    WHERE large.n = (SELECT max(n) FROM ratio) AND small.n = (SELECT min(n) FROM ratio)),
path AS (SELECT group_concat(DISTINCT variant) AS names FROM direct WHERE nth = 1)
SELECT 'peshne-c-081' AS id, printf('median %.2f over %d sizes (GPU memory by %s)', median(mid), count(*), names) AS measured,
       '<= 1.5' AS bound, CASE WHEN median(high) <= 1.5 THEN 1 WHEN median(low) > 1.5 THEN 0 END AS ok, '' AS reason
FROM ratio, path HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-082',
       printf('%.2f to %.2f; from %d to %d elements the time grows by a factor of ', min(mid), max(mid), min(n), max(n))
           || (SELECT group_concat(printf('%.3g (%s)', growth.mid, name), ', ') FROM growth),
       '<= 2 at every size', CASE WHEN max(high) <= 2 THEN 1 WHEN max(low) > 2 THEN 0 END, ''
FROM ratio HAVING count(*) > 0;
