-- Samples of the forest over those of random, Standard 1.
WITH need AS (
    SELECT variant, benchmark, min(iif(best_median > 0.95, total_ratio, 9e999)) AS r FROM tuner_search_median WHERE variant IN ('random', 'forest') GROUP BY variant, benchmark),
ratio AS (SELECT benchmark, coalesce(f.r / n.r, 1) AS n FROM need AS f JOIN need AS n USING (benchmark) WHERE f.variant = 'forest' AND n.variant = 'random' ORDER BY benchmark),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-030' AS id, group_concat(printf('%s %.2f', benchmark, n), ', ') AS measured, '<= 0.6 for each' AS bound,
       iif(real, max(n) <= 0.6, 'waived') AS ok, iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM ratio, gpu HAVING count(*) = 11;

-- Fitting and predicting.
WITH t AS (SELECT samples, time_s AS mid, time_low_s AS low, time_high_s AS high FROM tuner_models_median WHERE variant = 'forest' AND points >= 11000)
SELECT 'datamotion-c-031' AS id, printf('%.1f ms with %d samples', 1e3 * max(mid), samples) AS measured, '<= 100 ms' AS bound,
       CASE WHEN max(high) <= 0.1 THEN 1 WHEN max(low) > 0.1 THEN 0 END AS ok, '' AS reason
FROM t HAVING count(*) > 0;

-- What the forest finds with a twentieth of the space. Searches end at Standard 2: if that was met with fewer samples, more are not known.
WITH run AS (SELECT benchmark, total_ratio, best_median FROM tuner_search_median WHERE variant = 'forest'),
found AS (
    SELECT benchmark, max(best_median) FILTER (WHERE total_ratio <= 0.05) AS best, max(total_ratio) > 0.05 AS known FROM run GROUP BY benchmark),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-032' AS id, group_concat(printf('%s %.3f', benchmark, best), ', ') AS measured, '>= 0.97 for each' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN min(best) >= 0.97 THEN 1 WHEN max(best < 0.97 AND known) THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM found, gpu HAVING count(*) = 11;

-- Samples of the guided search over those of the better of local search and genetic algorithm, Standard 1; and Standard 2 beside it.
WITH need AS (
    SELECT 1 AS standard, variant, benchmark, min(iif(best_median > 0.95, samples, NULL)) AS n FROM tuner_guided_median GROUP BY variant, benchmark
    UNION ALL SELECT 2, variant, benchmark, min(iif(best_p05 > 0.95, samples, NULL)) FROM tuner_guided_median GROUP BY variant, benchmark),
ratio AS (
    SELECT standard, benchmark, max(n) FILTER (WHERE variant = 'guided') * 1.0 / min(n) FILTER (WHERE variant IN ('local', 'genetic')) AS guided,
           max(n) FILTER (WHERE variant = 'guided') * 1.0 / max(n) FILTER (WHERE variant = 'random') AS beside_random
    FROM need GROUP BY standard, benchmark),
mean AS (
    SELECT standard, count(guided) AS cases, exp(avg(ln(guided))) AS guided, min(guided) AS least, max(guided) AS most, exp(avg(ln(beside_random))) AS beside_random
    FROM ratio GROUP BY standard),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-033' AS id,
       printf('%.2f (%.2f to %.2f) with %d kernels; Standard 2: %.2f (%.2f to %.2f) with %d; of random %.2f and %.2f', a.guided, a.least, a.most, a.cases,
              b.guided, b.least, b.most, b.cases, a.beside_random, b.beside_random) AS measured,
       '<= 0.5 in the geometric mean, with all' AS bound, iif(real, a.cases = 11 AND a.guided <= 0.5, 'waived') AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM mean AS a, mean AS b, gpu WHERE a.standard = 1 AND b.standard = 2 AND (SELECT count(DISTINCT benchmark) FROM tuner_guided_median) = 11;
