-- Options per request of the coarray version on one host: waiting at the end against communication, and both scaled to 0..1.
WITH size AS (
    SELECT per_request AS k, median(idle_s) AS idle, median(communication_s) AS comm, median(idle_s + communication_s) AS mid,
           interval_low(idle_s + communication_s) AS low, interval_high(idle_s + communication_s) AS high
    FROM coarrays_pricing WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 GROUP BY per_request),
ends AS (SELECT min(idle) AS idle0, max(idle) AS idle1, min(comm) AS comm0, max(comm) AS comm1 FROM size),
crossing AS (
    SELECT min(k) AS k FROM size, ends WHERE k > (SELECT min(k) FROM size) AND (idle - idle0) / (idle1 - idle0) >= (comm - comm0) / (comm1 - comm0))
SELECT 'fanfarillo-c-170' AS id,
       printf('rank correlation with the options: idle %.2f, communication %.2f (%.3g to %.3g s, %.3g to %.3g s)', spearman(k, idle), spearman(k, comm), min(idle),
              max(idle), min(comm), max(comm)) AS measured,
       'above 0, below 0' AS bound, spearman(k, idle) > 0 AND spearman(k, comm) < 0 AS ok, 'from ' || min(k) || ' to ' || max(k) || ' options' AS reason
FROM size HAVING count(*) > 2
UNION ALL
SELECT 'fanfarillo-c-171', coalesce('from ' || crossing.k || ' options on idle time is the larger', 'idle time is never the larger'), 'crossing at 2..4',
       coalesce(crossing.k BETWEEN 2 AND 4, 0), 'both scaled to 0..1, options per request of a CPU image'
FROM crossing WHERE (SELECT count(*) FROM size) > 2
UNION ALL
SELECT 'fanfarillo-c-172', printf('%.3f (%.3g against %.3g s)', two.mid / three.mid, two.mid, three.mid), '0.85..1.15',
       CASE WHEN two.low / three.high >= 0.85 AND two.high / three.low <= 1.15 THEN 1 WHEN two.low / three.high > 1.15 OR two.high / three.low < 0.85 THEN 0 END, ''
FROM size AS two, size AS three WHERE two.k = 2 AND three.k = 3;
