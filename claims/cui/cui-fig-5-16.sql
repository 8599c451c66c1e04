-- Samples that IterML needs, over those of random, on this machine: figures 5.16 and 5.17, and what the text says of all of them. A standard
-- that no number of samples meets counts as worse than every number: with three iterations that halve the space IterML ends at 3/7 of it.
WITH need AS (
    SELECT 1 AS standard, variant, benchmark, min(iif(best_median > 0.95, total_ratio, 9e999)) AS r FROM tuner_search_median GROUP BY variant, benchmark
    UNION ALL SELECT 2, variant, benchmark, min(iif(best_p05 > 0.95, total_ratio, 9e999)) FROM tuner_search_median GROUP BY variant, benchmark),
ratio AS (
    SELECT standard, benchmark, m.variant, m.r, m.r / b.r AS n
    FROM need AS m JOIN need AS b USING (standard, benchmark)
    WHERE b.variant = 'random' AND b.r < 9e999 AND m.variant IN ('cart', 'knn', 'svm', 'forest', 'mlp')),
best AS (SELECT standard, benchmark, min(n) AS n, variant FROM ratio GROUP BY standard, benchmark),
spread AS (
    SELECT variant, min(n) FILTER (WHERE share >= 0.05) AS p05, min(n) FILTER (WHERE share >= 0.25) AS p25, min(n) FILTER (WHERE share >= 0.5) AS p50,
           min(n) FILTER (WHERE share >= 0.75) AS p75, min(n) FILTER (WHERE share >= 0.95) AS p95, avg(n) AS mean
    FROM (SELECT *, cume_dist() OVER (PARTITION BY variant ORDER BY n) AS share FROM ratio) GROUP BY variant),
figures(standard, saves, always) AS (VALUES (1, 'cui-c-276', 'cui-c-278'), (2, 'cui-c-279', 'cui-c-281')),
shown AS (
    SELECT f.*, count(*) AS cases, sum(n <= 0.6) AS good, min(n) AS least, max(n) AS most FROM figures AS f JOIN best USING (standard) GROUP BY f.standard),
stable AS (SELECT standard, max(n) AS most FROM ratio WHERE variant NOT IN ('svm', 'mlp') GROUP BY standard),
forest AS (
    SELECT group_concat(printf('%s %.2f', benchmark, n), ', ') AS text
    FROM (SELECT * FROM ratio WHERE standard = 1 AND variant = 'forest' ORDER BY n DESC))
SELECT saves AS id, replace(printf('%d of %d kernels save 0.40 or more; savings %.2f to %.2f', good, cases, 1 - most, 1 - least), '-Inf', 'none') AS measured,
       'save >= 0.40 for 0.6 of the kernels (thesis: 0.40..0.80)' AS bound, good >= 0.6 * cases AS ok, '' AS reason
FROM shown
UNION ALL
SELECT always, replace(printf('largest %.2f', stable.most), 'Inf', 'not met'), 'cart, knn and forest < 1.1', stable.most < 1.1, ''
FROM shown JOIN stable USING (standard)
UNION ALL
SELECT 'cui-c-274', printf('forest %.2f, cart %.2f at least', min(n) FILTER (WHERE variant = 'forest'), min(n) FILTER (WHERE variant = 'cart')),
       'least 0.1..0.3 (thesis: 0.2)', 'waived', 'a number of the Tesla P100'
FROM ratio WHERE standard = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-275', text, 'largest 0.45..0.75, of a banded kernel (thesis: 3mm 0.6)', 'waived', 'a number of the Tesla P100' FROM forest WHERE text <> ''
UNION ALL
SELECT 'cui-c-288', replace(group_concat(printf('%s %.2f (%.2f..%.2f)', variant, p50, p25, p75), ', '), 'Inf', 'not met'), 'median and middle half of forest at most those of each other within 5 %, one of them less',
       CASE WHEN NOT min(f50 <= 1.05 * p50 AND f_iqr <= 1.05 * coalesce(p75 - p25, 9e999)) THEN 0
            WHEN min(variant = 'forest' OR f50 < 0.95 * p50 OR f_iqr < 0.95 * coalesce(p75 - p25, 9e999)) THEN 1 END,
       iif(min(f50 = p50), 'all have the same median: the numbers of samples are too far apart to tell them', '')
FROM spread, (SELECT p50 AS f50, coalesce(p75 - p25, 9e999) AS f_iqr FROM spread WHERE variant = 'forest')
HAVING count(*) = 5
UNION ALL
SELECT 'cui-c-289', replace(printf('%.2f..%.2f saved', 1 - p95, 1 - p05), '-Inf', 'none'), '0.3..0.85 (thesis: 0.40..0.80)', 'waived', 'a range of the Tesla P100 and V100'
FROM spread WHERE variant = 'forest'
UNION ALL
SELECT 'cui-c-290', iif(mean < 9e999, printf('%.2f saved', 1 - mean), 'not met with one kernel or more'), '>= 0.4 (thesis: 0.60)', 1 - mean >= 0.4, '' FROM spread WHERE variant = 'forest'
UNION ALL
SELECT 'cui-c-291', printf('%.4f of the space', avg(r)), '0.010..0.025 (thesis: 0.015)', 'waived', 'a number of the Tesla P100 and V100'
FROM ratio WHERE standard = 1 AND variant = 'forest' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-217', printf('%.4f of the space, mean of %d kernels', avg(r), count(*)), '<= 0.05 (thesis: 0.015)', avg(r) <= 0.05, ''
FROM ratio WHERE standard = 1 AND variant = 'forest' HAVING count(*) > 0
UNION ALL
SELECT iif(standards = 1, 'cui-c-013', 'cui-c-298'), replace(printf('%d of %d cases save 0.40 or more; savings %.2f to %.2f', sum(n <= 0.6), count(*), 1 - max(n), 1 - min(n)), '-Inf', 'none'),
       'save >= 0.40 in 0.6 of the cases (thesis: 0.40..0.80)', avg(n <= 0.6) >= 0.6, ''
FROM best, (SELECT 1 AS standards UNION ALL SELECT 2) WHERE standard <= standards GROUP BY standards
UNION ALL
SELECT 'cui-c-297', replace(printf('forest %.2f, svm %.2f, mlp %.2f', f.p50, s.p50, m.p50), 'Inf', 'not met'), 'median of forest less than those of svm and mlp', f.p50 < s.p50 AND f.p50 < m.p50, ''
FROM spread AS f, spread AS s, spread AS m WHERE f.variant = 'forest' AND s.variant = 'svm' AND m.variant = 'mlp';

-- Worse than random: svm or mlp needs more samples with a kernel. Intervals: of the quantiles of the searches, the median's from its
-- quartiles, the 5th percentile's from the density between it and the lower quartile. Searches end where Standard 2 is met: where it is not
-- met for sure, nothing is known above. Where the model does not meet it, random must with as many samples as the model took at most (3/7 of
-- the space), else there is nothing to compare.
WITH run AS (
    SELECT variant, benchmark, samples, best_median AS median, 1.57 * (best_p75 - best_p25) / sqrt(searches) AS median_error, best_p05 AS p05,
           1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * (best_p25 - best_p05) AS p05_error
    FROM tuner_search_median WHERE variant IN ('random', 'svm', 'mlp')),
need AS (
    SELECT 1 AS standard, variant, benchmark, min(iif(median > 0.95, samples, 9e999)) AS mid, min(iif(median + median_error > 0.95, samples, 9e999)) AS low,
           min(iif(median - median_error > 0.95, samples, 9e999)) AS high, max(samples) AS most FROM run GROUP BY variant, benchmark
    UNION ALL
    SELECT 2, variant, benchmark, min(iif(p05 > 0.95, samples, 9e999)), min(iif(p05 + p05_error > 0.95, samples, 9e999)),
           min(iif(p05 - p05_error > 0.95, samples, 9e999)), max(samples) FROM run GROUP BY variant, benchmark),
worse AS (
    SELECT standard, m.variant, benchmark, max(1.0 * m.mid / b.mid) AS most, count(*) AS cases, sum(m.mid > b.mid) AS more, sum(m.low > b.high) AS surely
    FROM need AS m JOIN need AS b USING (standard, benchmark) WHERE m.variant <> 'random' AND b.variant = 'random' AND min(m.mid, b.mid) <= m.most
    GROUP BY standard)
SELECT iif(standard = 1, 'cui-c-277', 'cui-c-280') AS id,
       printf('%d of %d (kernels, models) above 1, %d of them for sure; largest ', more, cases, surely)
           || iif(most < 9e999, printf('%.2f', most), 'not met') || printf(' (%s, %s)', benchmark, variant) AS measured,
       '> 1 with svm or mlp and one kernel' AS bound, CASE WHEN surely > 0 THEN 1 WHEN more = 0 THEN 0 END AS ok, '' AS reason
FROM worse;

-- The same of the thesis's second GPU, on a second machine: figures 5.18 and 5.19.
WITH run AS (
    SELECT variant, benchmark, samples, best_median AS median, 1.57 * (best_p75 - best_p25) / sqrt(searches) AS median_error, best_p05 AS p05,
           1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * (best_p25 - best_p05) AS p05_error
    FROM partner_tuner_search_median WHERE variant IN ('random', 'cart', 'knn', 'svm', 'forest', 'mlp')),
need AS (
    SELECT 1 AS standard, variant, benchmark, min(iif(median > 0.95, samples, 9e999)) AS mid, min(iif(median + median_error > 0.95, samples, 9e999)) AS low,
           min(iif(median - median_error > 0.95, samples, 9e999)) AS high, max(samples) AS most FROM run GROUP BY variant, benchmark
    UNION ALL
    SELECT 2, variant, benchmark, min(iif(p05 > 0.95, samples, 9e999)), min(iif(p05 + p05_error > 0.95, samples, 9e999)),
           min(iif(p05 - p05_error > 0.95, samples, 9e999)), max(samples) FROM run GROUP BY variant, benchmark),
ratio AS (
    SELECT standard, benchmark, m.variant, 1.0 * m.mid / b.mid AS n, m.low > b.high AS surely, min(m.mid, b.mid) <= m.most AS known, m.variant IN ('svm', 'mlp') AS unstable
    FROM need AS m JOIN need AS b USING (standard, benchmark) WHERE b.variant = 'random' AND b.mid < 9e999 AND m.variant <> 'random'),
best AS (SELECT standard, count(*) AS cases, sum(n <= 0.6) AS good FROM (SELECT standard, min(n) AS n FROM ratio GROUP BY standard, benchmark) GROUP BY standard),
worst AS (
    SELECT standard, max(iif(unstable, 0, n)) AS stable, sum(unstable AND known AND n > 1) AS more, sum(unstable AND known AND surely) AS surely,
           sum(unstable AND known) AS known
    FROM ratio GROUP BY standard),
figures(standard, saves, unstable, always) AS (VALUES (1, 'cui-c-282', 'cui-c-283', 'cui-c-284'), (2, 'cui-c-285', 'cui-c-286', 'cui-c-287')),
verdict(id, measured, bound, ok) AS (
    SELECT saves, printf('%d of %d kernels save 0.40 or more', good, cases), 'save >= 0.40 for 0.6 of the kernels (thesis: 0.40..0.80)', good >= 0.6 * cases
    FROM figures LEFT JOIN best USING (standard)
    UNION ALL
    SELECT unstable, printf('%d of %d (kernels, models) above 1, %d of them for sure', more, known, surely), '> 1 with svm or mlp and one kernel',
           CASE WHEN surely > 0 THEN 1 WHEN more = 0 THEN 0 END
    FROM figures LEFT JOIN worst USING (standard)
    UNION ALL
    SELECT always, replace(printf('largest %.2f', stable), 'Inf', 'not met'), 'cart, knn and forest < 1.1', stable < 1.1 FROM figures LEFT JOIN worst USING (standard))
SELECT id, iif(other, measured, 'second machine: not measured') AS measured, bound, iif(other, ok, 'waived') AS ok,
       iif(other, 'measured on the second machine', iif(cuda, 'it is about a second GPU, and no second machine with a CUDA GPU is recorded',
                                                        'it is about a second GPU, and no second machine is recorded')) AS reason
FROM verdict, (SELECT count(*) > 0 AS other FROM run), (SELECT count(*) > 0 AS cuda FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
WHERE EXISTS (SELECT 1 FROM tuner_search_median);
