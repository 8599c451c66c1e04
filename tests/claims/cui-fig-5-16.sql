-- Samples that IterML needs, over those of random, on this machine and on its partner: figures 5.16 to 5.20, and what the text says of all
-- of them. A standard that no number of samples meets counts as worse than every number; if random does not meet it either, as equal.
WITH run AS (SELECT 1 AS node, * FROM tuner_search_median UNION ALL SELECT 2, * FROM partner_tuner_search_median),
need AS (
    SELECT node, 1 AS standard, variant, benchmark, min(iif(best_median > 0.95, total_ratio, 9e999)) AS r FROM run GROUP BY node, variant, benchmark
    UNION ALL SELECT node, 2, variant, benchmark, min(iif(best_p05 > 0.95, total_ratio, 9e999)) FROM run GROUP BY node, variant, benchmark),
ratio AS (
    SELECT node, standard, benchmark, m.variant, m.r, coalesce(m.r / b.r, 1) AS n
    FROM need AS m JOIN need AS b USING (node, standard, benchmark) WHERE b.variant = 'random' AND m.variant IN ('cart', 'knn', 'svm', 'forest', 'mlp')),
best AS (SELECT node, standard, benchmark, min(n) AS n, variant FROM ratio GROUP BY node, standard, benchmark),
spread AS (
    SELECT variant, min(n) FILTER (WHERE share >= 0.05) AS p05, min(n) FILTER (WHERE share >= 0.25) AS p25, min(n) FILTER (WHERE share >= 0.5) AS p50,
           min(n) FILTER (WHERE share >= 0.75) AS p75, min(n) FILTER (WHERE share >= 0.95) AS p95, avg(n) AS mean
    FROM (SELECT *, cume_dist() OVER (PARTITION BY variant ORDER BY n) AS share FROM ratio) GROUP BY variant),
figures(node, standard, saves, unstable, always) AS (
    VALUES (1, 1, 'cui-c-276', 'cui-c-277', 'cui-c-278'), (1, 2, 'cui-c-279', 'cui-c-280', 'cui-c-281'),
           (2, 1, 'cui-c-282', 'cui-c-283', 'cui-c-284'), (2, 2, 'cui-c-285', 'cui-c-286', 'cui-c-287')),
-- What each figure shows; nothing for a partner that does not exist.
shown AS (
    SELECT f.*, count(n) AS cases, sum(n <= 0.6) AS good, min(n) AS least, max(n) AS most
    FROM figures AS f LEFT JOIN best USING (node, standard) WHERE EXISTS (SELECT 1 FROM run) GROUP BY f.node, f.standard),
worst AS (
    SELECT node, standard, max(n) FILTER (WHERE variant IN ('svm', 'mlp')) AS unstable, max(n) FILTER (WHERE variant NOT IN ('svm', 'mlp')) AS stable
    FROM ratio GROUP BY node, standard),
forest AS (
    SELECT group_concat(printf('%s%s %.2f', benchmark, iif(node > 1, ' (second machine)', ''), n), ', ') AS text
    FROM (SELECT * FROM ratio WHERE standard = 1 AND variant = 'forest' ORDER BY node, n DESC))
SELECT saves AS id, iif(cases, replace(printf('%d of %d kernels save 0.40 or more; savings %.2f to %.2f', good, cases, 1 - most, 1 - least), '-Inf', 'none'), 'not measured') AS measured,
       'save >= 0.40 for 0.6 of the kernels (thesis: 0.40..0.80)' AS bound, iif(cases, good >= 0.6 * cases, 'waived') AS ok,
       iif(cases, '', 'no second machine has these searches') AS reason
FROM shown
UNION ALL
SELECT s.unstable, iif(cases, replace(printf('largest %.2f; in all figures %.2f', w.unstable, (SELECT max(unstable) FROM worst)), 'Inf', 'not met'), 'not measured'),
       'svm or mlp >= 1 somewhere, in at least one figure', iif(cases, (SELECT max(unstable) FROM worst) >= 1, 'waived'), iif(cases, '', 'no second machine has these searches')
FROM shown AS s LEFT JOIN worst AS w USING (node, standard)
UNION ALL
SELECT s.always, iif(cases, replace(printf('largest %.2f', stable), 'Inf', 'not met'), 'not measured'), 'cart, knn and forest < 1.1', iif(cases, stable < 1.1, 'waived'),
       iif(cases, '', 'no second machine has these searches')
FROM shown AS s LEFT JOIN worst USING (node, standard)
UNION ALL
SELECT 'cui-c-274', printf('forest %.2f, cart %.2f at least', min(n) FILTER (WHERE variant = 'forest'), min(n) FILTER (WHERE variant = 'cart')),
       'least 0.1..0.3 (thesis: 0.2)', 'waived', 'a number of the Tesla P100'
FROM ratio WHERE standard = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-275', text, 'largest 0.45..0.75, of a banded kernel (thesis: 3mm 0.6)', 'waived', 'a number of the Tesla P100' FROM forest WHERE text <> ''
UNION ALL
SELECT 'cui-c-288', replace(group_concat(printf('%s %.2f (%.2f..%.2f)', variant, p50, p25, p75), ', '), 'Inf', 'not met'), 'median and middle half of forest least, within 5 %',
       min(f50 <= 1.05 * p50 AND f_iqr <= 1.05 * coalesce(p75 - p25, 9e999)), ''
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
SELECT 'cui-c-217', printf('%.4f of the space, mean of %d (kernels, machines)', avg(r), count(*)), '<= 0.05 (thesis: 0.015)', avg(r) <= 0.05, ''
FROM ratio WHERE standard = 1 AND variant = 'forest' HAVING count(*) > 0
UNION ALL
SELECT iif(standards = 1, 'cui-c-013', 'cui-c-298'), replace(printf('%d of %d cases save 0.40 or more; savings %.2f to %.2f', sum(n <= 0.6), count(*), 1 - max(n), 1 - min(n)), '-Inf', 'none'),
       'save >= 0.40 in 0.6 of the cases (thesis: 0.40..0.80)', avg(n <= 0.6) >= 0.6, ''
FROM best, (SELECT 1 AS standards UNION ALL SELECT 2) WHERE standard <= standards GROUP BY standards
UNION ALL
SELECT 'cui-c-297', replace(printf('forest %.2f, svm %.2f, mlp %.2f', f.p50, s.p50, m.p50), 'Inf', 'not met'), 'median of forest less than those of svm and mlp', f.p50 < s.p50 AND f.p50 < m.p50, ''
FROM spread AS f, spread AS s, spread AS m WHERE f.variant = 'forest' AND s.variant = 'svm' AND m.variant = 'mlp';
