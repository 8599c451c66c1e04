-- Options per request of the coarray version on one host: waiting at the end against communication, and both scaled to 0..1.
WITH size AS (
    SELECT per_request AS k, median(idle_s) AS idle, median(communication_s) AS comm, median(idle_s + communication_s) AS mid,
           interval_low(idle_s + communication_s) AS low, interval_high(idle_s + communication_s) AS high
    FROM coarrays_pricing WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 GROUP BY per_request),
-- The crossing of each repetition, both scaled to its own 0..1.
scaled AS (
    SELECT rep, per_request AS k, min(per_request) OVER run AS first, (idle_s - min(idle_s) OVER run) / (max(idle_s) OVER run - min(idle_s) OVER run) AS idle,
           (communication_s - min(communication_s) OVER run) / (max(communication_s) OVER run - min(communication_s) OVER run) AS comm
    FROM coarrays_pricing WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 WINDOW run AS (PARTITION BY rep)),
each AS (SELECT rep, min(k) AS k FROM scaled WHERE k > first AND idle >= comm GROUP BY rep),
crossing AS (SELECT median(k) AS mid, interval_low(k) AS low, interval_high(k) AS high, count(*) AS runs FROM each),
-- Where communication does not fall with the options, scaling makes a crossing of noise.
trade AS (SELECT spearman(k, idle) > 0 AND spearman(k, comm) < 0 AS here FROM size)
SELECT 'fanfarillo-c-170' AS id,
       printf('rank correlation with the options: idle %.2f, communication %.2f (%.3g to %.3g s, %.3g to %.3g s)', spearman(k, idle), spearman(k, comm), min(idle),
              max(idle), min(comm), max(comm)) AS measured,
       'above 0, below 0' AS bound, spearman(k, idle) > 0 AND spearman(k, comm) < 0 AS ok, 'from ' || min(k) || ' to ' || max(k) || ' options' AS reason
FROM size HAVING count(*) > 2
UNION ALL
SELECT 'fanfarillo-c-171',
       CASE WHEN NOT here THEN 'no crossing: idle time does not rise, or communication does not fall, with the options'
            WHEN runs = 0 THEN 'idle time is never the larger'
            ELSE printf('from %.3g options on idle time is the larger (%.3g to %.3g in %d runs)', mid, low, high, runs) END,
       'crossing at 2..4', CASE WHEN NOT here OR runs = 0 THEN 0 WHEN low >= 2 AND high <= 4 THEN 1 WHEN high < 2 OR low > 4 THEN 0 END,
       'both scaled to 0..1, options per request of a CPU image; judged where fanfarillo-c-170 finds the trade-off'
FROM crossing, trade WHERE (SELECT count(*) FROM size) > 2
UNION ALL
SELECT 'fanfarillo-c-172', printf('%.3f (%.3g against %.3g s)', two.mid / three.mid, two.mid, three.mid), '0.85..1.15',
       CASE WHEN two.low / three.high >= 0.85 AND two.high / three.low <= 1.15 THEN 1 WHEN two.low / three.high > 1.15 OR two.high / three.low < 0.85 THEN 0 END, ''
FROM size AS two, size AS three WHERE two.k = 2 AND three.k = 3;
