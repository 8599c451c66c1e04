-- Peak FP64 of GPUs over the years. The text gives two GPU values and no CPU value.
SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-001' AS id,
           printf('%d GPU values, %d CPU values',
                  sum(device LIKE 'Tesla%'), sum(device NOT LIKE 'Tesla%')) AS measured,
           'GPU growth per year > CPU growth per year' AS bound,
           NULL AS ok,
           'the text prints no CPU values' AS reason
    FROM cui_fig_1_1
);

SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT claim.id,
           printf('%d GFLOP/s', peak_fp64_gflops) AS measured,
           printf('%d GFLOP/s', claim.gflops) AS bound,
           peak_fp64_gflops = claim.gflops AS ok,
           'transcribed data, not measured here' AS reason
    FROM cui_fig_1_1
    JOIN (SELECT 'cui-c-002' AS id, 'Tesla S1070' AS device, 311 AS gflops
          UNION ALL SELECT 'cui-c-003', 'Tesla V100', 7450) AS claim USING (device)
    ORDER BY claim.id
);

SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-004' AS id,
           printf('%.2f', ratio) AS measured,
           '24 +- 0.5' AS bound,
           abs(ratio - 24) < 0.5 AS ok,
           'transcribed data, not measured here' AS reason
    FROM (SELECT 1.0 * max(peak_fp64_gflops) / min(peak_fp64_gflops) AS ratio FROM cui_fig_1_1)
);

SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-005' AS id,
           printf('%d GPU with a year', count(year)) AS measured,
           'largest yearly step in 2014..2016' AS bound,
           NULL AS ok,
           'the text prints one dated GPU value' AS reason
    FROM cui_fig_1_1
);
