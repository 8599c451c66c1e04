-- Few samples against many, per algorithm and size.
WITH run AS (SELECT *, max(threads) OVER () AS most, max(points) OVER () AS accurate, min(points) OVER () AS coarse FROM spmv_hybrid_median WHERE points > 0),
ratio AS (
    SELECT few.coarse AS few, few.accurate AS many, few.time_s / many.time_s AS mid, few.time_low_s / many.time_high_s AS low, few.time_high_s / many.time_low_s AS high
    FROM run AS few JOIN run AS many USING (variant, rows, threads)
    WHERE threads = few.most AND few.points = few.coarse AND many.points = few.accurate AND few.coarse < few.accurate)
SELECT 'fanfarillo-c-049' AS id,
       printf('median %.3f over %d sizes and algorithms (%.3f to %.3f), %d and %d samples', median(mid), count(*), min(mid), max(mid), few, many) AS measured,
       '0.9..1.1' AS bound,
       CASE WHEN median(low) >= 0.9 AND median(high) <= 1.1 THEN 1 WHEN median(high) < 0.9 OR median(low) > 1.1 THEN 0 END AS ok, '' AS reason
FROM ratio HAVING count(*) > 0;
