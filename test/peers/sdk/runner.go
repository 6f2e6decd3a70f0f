package main

import (
	"encoding/json"
	"os"
	"time"

	"runner/carillon"
)

type vectorSet struct {
	Now        int64
	ClockSkewS int64
	Audience   string
	Domain     string
	Vectors    []struct {
		Keys []struct {
			Algorithm, Key string
			AcceptedUntil  int64
		}
		Authorization, Body string
		Times               int
	}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var set vectorSet
	if err := json.Unmarshal(text, &set); err != nil {
		panic(err)
	}
	outcomes := [][]string{}
	for _, vector := range set.Vectors {
		options := carillon.Options{
			Audience: set.Audience, Domain: set.Domain, ClockSkew: time.Duration(set.ClockSkewS) * time.Second,
			Now: func() time.Time { return time.Unix(set.Now, 0) },
		}
		for _, key := range vector.Keys {
			made := carillon.Key{Algorithm: key.Algorithm, Key: key.Key}
			if key.AcceptedUntil != 0 {
				made.AcceptedUntil = time.Unix(key.AcceptedUntil, 0)
			}
			options.Keys = append(options.Keys, made)
		}
		found := []string{}
		verifier, err := carillon.New(options)
		for time := 0; time == 0 || time < vector.Times; time++ {
			if err == nil || time > 0 {
				_, err = verifier.Verify(vector.Authorization, []byte(vector.Body))
			}
			code := "ok"
			if refusal, is := err.(*carillon.Refusal); is {
				code = refusal.Code
			}
			found = append(found, code)
		}
		outcomes = append(outcomes, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(outcomes); err != nil {
		panic(err)
	}
}
