-- Claims of chapter 1 that belong to no figure: arithmetic on quoted figures.
SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-009' AS id,
           printf('%.2fx against %.2fx per year', compute, link) AS measured,
           'compute > link' AS bound,
           compute > link AS ok,
           'transcribed data, not measured here' AS reason
    FROM (SELECT (SELECT pow(1.0 * max(peak_fp64_gflops) / min(peak_fp64_gflops), 1.0 / 10)
                  FROM cui_fig_1_1) AS compute,
                 (SELECT pow(1.0 * max(x16_gb_s) / min(x16_gb_s), 1.0 / 14) FROM cui_fig_1_2) AS link)
);

SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-011' AS id,
           printf('%.3g', 200e15 / 160e6) AS measured,
           '1.25e+09 +- 1 %' AS bound,
           abs(200e15 / 160e6 / 1.25e9 - 1) < 0.01 AS ok,
           'quoted figures, not measured here' AS reason
);

SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-012' AS id,
           printf('%.3g', 250e15 / 303e6) AS measured,
           '8.25e+06 +- 1 %' AS bound,
           abs(250e15 / 303e6 / 8.25e6 - 1) < 0.01 AS ok,
           'the quoted sizes give 100 times the quoted growth' AS reason
);
