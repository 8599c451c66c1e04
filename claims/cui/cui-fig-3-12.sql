-- Rounds that exchange input and output, without the host in between: the largest number of rounds.
WITH t AS (SELECT variant, rounds, time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_rounds_median
           WHERE rounds = (SELECT max(rounds) FROM unified_memory_rounds_median)),
ratio AS (SELECT a.variant AS slow, b.variant AS fast, a.rounds AS rounds, a.time_s / b.time_s AS mid, a.low / b.high AS low,
                 a.high / b.low AS high FROM t AS a JOIN t AS b)
SELECT 'cui-c-100' AS id, printf('naive / pipeline %.2f with %d rounds', mid, rounds) AS measured, '>= 1.3 (thesis: 1.91)' AS bound,
       CASE WHEN low >= 1.3 THEN 1 WHEN high < 1.3 THEN 0 END AS ok, '' AS reason
FROM ratio WHERE slow = 'naive' AND fast = 'pipeline'
UNION ALL
SELECT 'cui-c-101', printf('framework / pipeline %.3f with %d rounds', mid, rounds), '0.95..1.05',
       CASE WHEN low >= 0.95 AND high <= 1.05 THEN 1 WHEN high < 0.95 OR low > 1.05 THEN 0 END, ''
FROM ratio WHERE slow = 'framework' AND fast = 'pipeline'
UNION ALL
SELECT 'cui-c-102', printf('naive / um %.2f, pipeline / um %.2f with %d rounds', n.mid, p.mid, p.rounds),
       'pipeline / um > 1 (thesis: naive / um 2.97)', CASE WHEN p.low > 1 THEN 1 WHEN p.high <= 1 THEN 0 END, ''
FROM ratio AS p JOIN ratio AS n USING (fast) WHERE p.slow = 'pipeline' AND n.slow = 'naive' AND fast = 'um';
